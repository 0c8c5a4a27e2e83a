#!/usr/bin/env bash
# Runs the operator on a real API server, under the roles of kron-operator/deploy, and prints one table:
#
#     scripts/real_server.sh --binaries DIR    a server of its own: etcd, kube-apiserver and kube-controller-manager of that folder
#     scripts/real_server.sh --kubeconfig FILE a cluster that is there, for tests alone
#     scripts/real_server.sh                   the model of an API server, in rows that are marked so
#
# `--long` adds the rows that take long, `--rows` chooses; `--help` says more. KRON_KUBERNETES_BINARIES may name the folder, too. It
# builds and downloads no server: the official programs are at https://dl.k8s.io and https://github.com/etcd-io/etcd/releases.
set -euo pipefail
cd "$(dirname "$0")/.."

KUBECTL_DIR=$(bash scripts/kubectl.sh)
export PATH=${KUBECTL_DIR:+$KUBECTL_DIR:}$PATH PYTHONPATH=scripts PYTHONDONTWRITEBYTECODE=1
exec python3 -m real_server "$@"
