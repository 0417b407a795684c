"""ONNX: a model as a graph of operations on whole columns, which many runtimes work out."""
