/**
 * Whether some order of operations explains what was seen of them: https://cs.brown.edu/~mph/HerlihyW90/p463-herlihy.pdf.
 * An operation takes effect at one moment between its start and its end, and everything sees the same order.
 *
 * Operations have `id`, `start`, `end`, and `looked` where they changed nothing, whatever the order.
 * `apply(operation, state)` gives the state after the operation where its outcome is what it has to be in `state`, else
 * undefined. States are strings. Gives the state after all of them, or, where no order explains the history, how far the
 * longest explanation came.
 */
export function explain(operations, from, apply) {
  const byEnd = operations.toSorted((one, other) => one.end - other.end)
  const seen = new Set()
  let furthest = { state: from, left: byEnd }
  const visit = (left, state) => {
    const [settled, rest] = settle(left, state, apply)
    if (rest.length < furthest.left.length) furthest = { state: settled, left: rest }
    if (rest.length === 0) return settled
    const key = `${settled}|${rest.map(({ id }) => id)}`
    if (seen.has(key)) return undefined
    seen.add(key)
    for (const next of ready(rest)) {
      const after = apply(next, settled)
      if (after === undefined) continue
      const others = rest.filter((one) => one !== next)
      const end = visit(others, after)
      if (end !== undefined) return end
    }
    return undefined
  }
  return { after: visit(byEnd, from), furthest }
}

/** Those that may come first: they began before any other had ended. `left` is sorted by end. */
const ready = (left) => left.filter(({ start }) => start <= left[0].end)

/**
 * Takes what only looked, where it saw what is there: later it would not fit better, and it changes nothing for others.
 * That does not go for what happens to change nothing now, such as storing what is there already.
 */
function settle(left, state, apply) {
  for (;;) {
    const fitting = new Set(ready(left).filter((one) => one.looked && apply(one, state) === state))
    if (fitting.size === 0) return [state, left]
    left = left.filter((one) => !fitting.has(one))
    if (left.length === 0) return [state, left]
  }
}
