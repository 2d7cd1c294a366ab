"""CR2, Satterthwaite and HTZ written out with n × n matrices (Pustejovsky and Tipton, 2018), to test against.

Nothing here is taken from the package: projections, one symmetric square root per cluster, and the moments of
quadratic forms term by term.
"""
import numpy as np


def root(A, power, least=1e-10):
    "Symmetric power of a positive semidefinite matrix; directions without variance are left out"
    values, axes = np.linalg.eigh(A)
    return axes @ np.diag([v**power if v > least else 0. for v in values]) @ axes.T


def vectors(X, codes, C):
    "For each cluster the (n, q) matrix that the outcome is multiplied with, working variance 1"
    n = len(X)
    M = np.linalg.inv(X.T @ X)
    annihilator = np.eye(n) - X @ M @ X.T
    for g in np.unique(codes):
        i = codes == g
        A = root(annihilator[np.ix_(i, i)], -.5)
        p = np.zeros((n, len(C)))
        p[i] = A @ X[i] @ M @ C.T
        yield annihilator @ p


def cr2(X, y, codes, C):
    "Estimates, their covariance, degrees of freedom of each"
    C = np.atleast_2d(C)
    P = list(vectors(X, codes, C))
    V = sum(np.outer(p.T @ y, p.T @ y) for p in P)
    df = []
    for j in range(len(C)):
        columns = np.array([p[:, j] for p in P])
        G = columns @ columns.T
        df.append(np.trace(G)**2/(G**2).sum())
    return C @ np.linalg.inv(X.T @ X) @ X.T @ y, V, np.array(df)


def htz(X, y, codes, C):
    "F, denominator degrees of freedom of the approximate Hotelling test that C beta = 0"
    estimate, V, _ = cr2(X, y, codes, C)
    q = len(C)
    turn = root(C @ np.linalg.inv(X.T @ X) @ C.T, -.5)
    P = [p @ turn for p in vectors(X, codes, C)]
    total = 0.
    for s in range(q):
        for t in range(q):
            a, b = np.array([p[:, s] for p in P]), np.array([p[:, t] for p in P])
            total += ((a @ a.T)*(b @ b.T)).sum() + ((a @ b.T)*(b @ a.T)).sum()
    eta = q*(q + 1)/total
    return (eta - q + 1)/(eta*q)*estimate @ np.linalg.inv(V) @ estimate, eta - q + 1
