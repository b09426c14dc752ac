import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
});

/** Returns one text with the name, the version and the licence of each of these packages, given by their folders. */
export function joinLicences(root: string, folders: readonly string[]): string {
  return [...new Set(folders)]
    .sort()
    .map((folder) => licenceOf(join(root, folder)))
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(folder: string): string {
  const { name, version, license } = packageSchema.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  // In a file, or in a folder of them.
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => /^(licen[cs]e|copying|notice)/i.test(entry.name))
    .flatMap((entry) => (entry.isFile() ? [entry.name] : filesIn(folder, entry.name)))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (license === undefined && texts.length === 0) {
    throw new Error(`The package ${name} says nothing of its licence.`);
  }
  return `${[`${name} ${version}`, license, ...texts].filter((part) => part !== undefined).join('\n\n')}\n`;
}

function filesIn(folder: string, name: string): string[] {
  return readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
