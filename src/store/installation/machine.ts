import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** The machine that the program runs on, as far as it is known. */
export interface Machine {
  /** The same for each start of this machine. Hashed, as the id itself is confidential (machine-id(5)). */
  id: string | undefined;
  /** Another one for each start of the machine. */
  boot: string | undefined;
}

/** Reads the ids that most machines with Linux have. */
export function readMachine(): Machine {
  // In a container it is the id of the image, which changes with each version.
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
