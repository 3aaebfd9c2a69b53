# What `workerd serve worker.capnp` runs: the bundled worker, on a port of this machine.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "mcp", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "mcp")]
);

const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "dist/worker.js")],
  bindings = [(name = "GREETING", text = "Good day")],
  compatibilityDate = "2026-11-01"
);
