// Runs the built client: `npm run build` makes it, `assay examine -- node examples/client/main.js` examines it.
await import('../../dist/examples/client/main.js')
