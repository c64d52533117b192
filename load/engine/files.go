package main

import (
	"os"
	"sync"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"
)

func init() {
	modules.Register("k6/x/assay", &files{open: map[string]*os.File{}})
}

// files reads pieces of files where they lie. k6's own modules read a file whole, so that a process
// takes memory for every document that it will send.
type files struct {
	lock sync.Mutex
	open map[string]*os.File
}

// One descriptor for all virtual users: reading at a place has no position to share.
func (f *files) file(path string) (*os.File, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	if file, ok := f.open[path]; ok {
		return file, nil
	}
	file, err := os.Open(path)
	if err == nil {
		f.open[path] = file
	}
	return file, err
}

func (f *files) NewModuleInstance(vu modules.VU) modules.Instance {
	return &instance{vu: vu, files: f}
}

type instance struct {
	vu    modules.VU
	files *files
}

func (i *instance) Exports() modules.Exports {
	return modules.Exports{Named: map[string]any{"openFile": i.openFile, "printLine": i.printLine}}
}

// printLine writes a line to standard output. console.log makes an entry of the log of it first.
func (i *instance) printLine(call sobek.FunctionCall) sobek.Value {
	// Go lets one virtual user write at a time.
	if _, err := os.Stdout.WriteString(call.Argument(0).String() + "\n"); err != nil {
		common.Throw(i.vu.Runtime(), err)
	}
	return sobek.Undefined()
}

// openFile returns a file of which pieces can be read.
func (i *instance) openFile(path string) (map[string]any, error) {
	runtime := i.vu.Runtime()
	file, err := i.files.file(path)
	if err != nil {
		return nil, err
	}
	size := func() (int64, error) {
		info, err := file.Stat()
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	}
	// Without Go's reflection, because it is called for every invoice.
	read := func(call sobek.FunctionCall) sobek.Value {
		bytes := make([]byte, call.Argument(1).ToInteger())
		if _, err := file.ReadAt(bytes, call.Argument(0).ToInteger()); err != nil {
			common.Throw(runtime, err)
		}
		return runtime.ToValue(runtime.NewArrayBuffer(bytes))
	}
	return map[string]any{"size": size, "read": read}, nil
}
