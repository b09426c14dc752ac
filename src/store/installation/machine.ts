import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** What is known of where the program runs. */
export interface Machine {
  /** Tells this machine from others. Hashed, as the id itself is to be shown to nobody (machine-id(5)). */
  id: string | undefined;
  /** Tells this start of the machine from others. */
  boot: string | undefined;
}

/** Reads what most machines with Linux know of themselves. */
export function readMachine(): Machine {
  // The one in a container is that of its image, which changes with each version.
  const id = isContainer() ? undefined : read('/etc/machine-id');
  return {
    id: id && createHash('sha256').update(`switchboard ${id}`).digest('hex').slice(0, 32),
    boot: read('/proc/sys/kernel/random/boot_id'),
  };
}

function isContainer(): boolean {
  return (
    process.env.KUBERNETES_SERVICE_HOST !== undefined ||
    ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file))
  );
}

function read(file: string): string | undefined {
  try {
    return /^[0-9a-f-]{32,36}$/m.exec(readFileSync(file, 'latin1'))?.[0];
  } catch {
    return undefined;
  }
}
