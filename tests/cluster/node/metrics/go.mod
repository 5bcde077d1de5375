module metrics

go 1.26.4
