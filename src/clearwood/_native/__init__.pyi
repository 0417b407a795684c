# ruff: noqa: F403 - a stub that gathers stubs
# What the native module has, by subject. At run time it is one module: this folder holds its types alone.

from clearwood._native.bayes_and_linear import *
from clearwood._native.counting import *
from clearwood._native.ensembles import *
from clearwood._native.numeric import *
from clearwood._native.reading import *
from clearwood._native.rules import *
from clearwood._native.trees import *
