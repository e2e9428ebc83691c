# SPDX-License-Identifier: Apache-2.0
"""The linear algebra extension (Python array API standard 2025.12, "linalg").

Products, norms and traces run on the device; decompositions are computed by NumPy on the host,
which the fallback policy governs.
"""

from device_api._decompositions import cholesky as cholesky
from device_api._decompositions import det as det
from device_api._decompositions import eig as eig
from device_api._decompositions import eigh as eigh
from device_api._decompositions import eigvals as eigvals
from device_api._decompositions import eigvalsh as eigvalsh
from device_api._decompositions import inv as inv
from device_api._decompositions import matrix_rank as matrix_rank
from device_api._decompositions import pinv as pinv
from device_api._decompositions import qr as qr
from device_api._decompositions import slogdet as slogdet
from device_api._decompositions import solve as solve
from device_api._decompositions import svd as svd
from device_api._decompositions import svdvals as svdvals
from device_api._norms import cross as cross
from device_api._norms import diagonal as diagonal
from device_api._norms import matrix_norm as matrix_norm
from device_api._norms import matrix_power as matrix_power
from device_api._norms import outer as outer
from device_api._norms import trace as trace
from device_api._norms import vector_norm as vector_norm
from device_api.products import matmul as matmul
from device_api.products import matrix_transpose as matrix_transpose
from device_api.products import tensordot as tensordot
from device_api.products import vecdot as vecdot
