/** What `workOnce` took, in CPU seconds, on the machine whose seconds the limits of the tests are given in. */
const referenceSeconds = 0.09;
const entries = 50_000;

/**
 * Returns how many times the CPU time of the reference this machine needs at this moment. The same tests take almost twice as
 * long on a slower machine, or beside a neighbor that uses its caches, and a limit in seconds is to mean the same there.
 */
export function measureSlowness(): number {
  const { user, system } = process.cpuUsage();
  workOnce();
  const used = process.cpuUsage({ user, system });
  return (used.user + used.system) / 1e6 / referenceSeconds;
}

/** Like the tests, it makes objects and texts, and finds them again. */
function workOnce(): void {
  const rows = Array.from({ length: entries }, (_, index) => ({ index, key: String((index * 7) % entries) }));
  rows.sort((one, other) => (one.key < other.key ? -1 : 1));
  const copies: unknown = JSON.parse(JSON.stringify(rows));
  const byKey = new Map(rows.map((row) => [row.key, row]));
  for (let index = 0; index < entries; index += 1) {
    if (!byKey.has(String(index)) || copies === undefined) {
      throw new Error('Every row has a key of its own');
    }
  }
}
