// The pod of `ops.enabled` does nothing until somebody runs `kubectl exec` in it.
const stay = setInterval(() => {}, 3_600_000)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => clearInterval(stay))
