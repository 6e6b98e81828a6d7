"""Simulates solves on 1 to 4,096 CPUs: the program itself, with its clock, its network and its kernels replaced."""
