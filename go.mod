module ifmlab

go 1.26

ignore (
	./web/node_modules
	./web/test/node_modules
)

require (
	github.com/stretchr/testify v1.12.1 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)
