module ifmlab

go 1.26

ignore (
	./web/node_modules
	./web/test/node_modules
)
