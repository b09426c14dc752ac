import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../data-dir/write-durably.ts';

/** What an instance remembers of a PostgreSQL database, in its data folder, where no restored database changes it. */
export interface InstanceMemory {
  /** Names the instance, as long as its folder is there. */
  id: string;
  /** How often the instance had marked the database. */
  ticks: number;
  /** How often the database had been restored or copied. */
  takeovers: number;
}

const memorySchema = z.object({ id: z.string(), ticks: z.number(), takeovers: z.number() });

const explanation =
  'By this file Switchboard notices that its database was restored. See "Restoring" in docs/operating.md.';

export const memoryPath = (folder: string) => join(folder, 'postgres.mark');

/** Returns undefined where there is none that can be read. */
export function readMemory(folder: string): InstanceMemory | undefined {
  try {
    return memorySchema.parse(JSON.parse(readFileSync(memoryPath(folder), 'utf8')));
  } catch {
    return undefined;
  }
}

export function newMemory(): InstanceMemory {
  return { id: randomUUID(), ticks: 0, takeovers: 0 };
}

/** The memory is on the disk when this returns. */
export function writeMemory(folder: string, memory: InstanceMemory): void {
  writeDurably(memoryPath(folder), `${JSON.stringify({ ...memory, explanation }, undefined, 2)}\n`);
}
