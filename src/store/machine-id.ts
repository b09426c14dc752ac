import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Returns what tells this machine from others, where it has such an id, as most with systemd do (machine-id(5)). Hashed,
 * as the id itself is to be shown to nobody.
 */
export function readMachineId(file = '/etc/machine-id'): string | undefined {
  try {
    const [id] = /^[0-9a-f]{32}$/m.exec(readFileSync(file, 'latin1')) ?? [];
    return id && createHash('sha256').update(`switchboard ${id}`).digest('hex').slice(0, 32);
  } catch {
    return undefined;
  }
}
