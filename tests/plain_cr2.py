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


def models(X, codes):
    "Working covariances of rows: independent, and alike within a cluster as far as their covariates are"
    Z = X @ root(np.linalg.inv(X.T @ X), .5, 1e-30)
    Z = Z/np.linalg.norm(Z, axis=1, keepdims=True)
    return np.eye(len(X)), (Z @ Z.T)*(codes[:, None] == codes)


def between(independent, alike):
    "One number of degrees of freedom from those of the two working models"
    alike = min(alike, independent)
    w = max(.4, 1 - 1/alike)
    return 1/((1 - w)/independent + w/alike)


def satterthwaite(P, W):
    "Degrees of freedom of the sum of squares of P'y where the covariance of y is W"
    G = P @ W @ P.T
    return np.trace(G)**2/(G**2).sum()


def cr2(X, y, codes, C, df_of=between):
    "Estimates, their covariance, degrees of freedom of each (`df_of` those of the two working models)"
    C = np.atleast_2d(C)
    P = list(vectors(X, codes, C))
    V = sum(np.outer(p.T @ y, p.T @ y) for p in P)
    columns = [np.array([p[:, j] for p in P]) for j in range(len(C))]
    df = [df_of(*(satterthwaite(c, W) for W in models(X, codes))) for c in columns]
    return C @ np.linalg.inv(X.T @ X) @ X.T @ y, V, np.array(df)


def htz(X, y, codes, C):
    "F, denominator degrees of freedom of the approximate Hotelling test that C beta = 0"
    estimate, V, _ = cr2(X, y, codes, C)
    q = len(C)
    P = list(vectors(X, codes, C))
    eta = between(*(wishart(P, W) for W in models(X, codes)))
    return (eta - q + 1)/(eta*q)*estimate @ np.linalg.inv(V) @ estimate, eta - q + 1


def wishart(P, W):
    "Degrees of freedom of the covariance matrix that the outcome's products with P make up"
    turn = root(sum(p.T @ W @ p for p in P), -.5)
    P, q, total = [p @ turn for p in P], turn.shape[0], 0.
    for s in range(q):
        for t in range(q):
            a, b = np.array([p[:, s] for p in P]), np.array([p[:, t] for p in P])
            total += ((a @ W @ a.T)*(b @ W @ b.T)).sum() + ((a @ W @ b.T)*(b @ W @ a.T)).sum()
    return q*(q + 1)/total
