// k6 with one module more: `k6/x/assay`, in files.go.
package main

import "go.k6.io/k6/v2/cmd"

func main() {
	cmd.Execute()
}
