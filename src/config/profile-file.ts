import { readFileSync } from 'node:fs';
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { describeProfile, type ProviderProfile, profileSchema } from './provider-profile.ts';
import type { SettingFault } from './setting-types.ts';

/** In bytes. The example with all its comments has a tenth of this; a file beyond it is another file. */
const maxFileSize = 64 * 1024;

/** Reads and checks the file that `PROVIDER_PROFILE` names. Returns the profile, or every fault with its line. */
export function readProfileFile(file: string): ProviderProfile | SettingFault[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return [fileFault(unreadable[code] ?? 'names a file that cannot be read')];
  }
  return bytes.length > maxFileSize
    ? [fileFault(`names a file of more than ${maxFileSize / 1024} kB`)]
    : parseProfile(bytes.toString('utf8'));
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'names a file that does not exist',
  EACCES: 'names a file that this program may not read',
  EISDIR: 'names a folder',
};

function parseProfile(text: string): ProviderProfile | SettingFault[] {
  const lineCounter = new LineCounter();
  const lineAt = (offset: number) => lineCounter.linePos(offset).line;
  const document = parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true });
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) {
    // Only the code: the message quotes the file, which may be the wrong one and hold secrets.
    return problems.map(({ code, pos }) =>
      fileFault(`isn’t valid YAML at line ${lineAt(pos[0])}: ${code.toLowerCase().replaceAll('_', ' ')}`),
    );
  }
  if (document.contents !== null && !isMap(document.contents)) {
    return [fileFault('names a file without fields, such as balancePath: /api/get-balance')];
  }
  let given: Record<string, unknown>;
  try {
    given = document.toJS({ maxAliasCount: 0 }) ?? {};
  } catch {
    // With aliases a small file makes a large object.
    return [fileFault('names a file with an alias (*) in it')];
  }
  const { data, error } = profileSchema.safeParse(given);
  const faults = error?.issues.flatMap(faultsOf) ?? [];
  if (given.historyPath === undefined && given.historyAmount !== undefined) {
    faults.push({
      name: 'historyAmount',
      path: ['historyAmount'],
      problem: 'is set, but historyPath is not',
      remedy: 'Set historyPath to the path of the history, or remove historyAmount.',
    });
  }
  return data !== undefined && faults.length === 0
    ? data
    : faults
        .map((fault) => ({ ...fault, line: lineAt(offsetOf(document.contents, fault.path) ?? 0) }))
        .sort((one, other) => one.line - other.line)
        .map(({ name, line, problem, remedy }) => ({
          setting: `${name} in PROVIDER_PROFILE (line ${line})`,
          problem,
          remedy,
        }));
}

interface FieldFault extends Omit<SettingFault, 'setting'> {
  /** What the person who reads it is told. */
  name: string;
  path: readonly PropertyKey[];
}

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      name: [...issue.path, /^\w{1,40}$/.test(key) ? key : 'A field'].map(String).join('.'),
      path: [...issue.path, key],
      problem: 'isn’t a field of a profile',
      remedy: 'Correct its name, or remove it: docs/settings.md lists every field.',
    }));
  }
  const name = issue.path.map(String).join('.');
  const field = describeProfile().find((each) => each.name === name);
  const remedy =
    field === undefined || field.default === 'unset' || field.default === 'required'
      ? 'Correct it as docs/settings.md says, or remove it.'
      : `Correct it, or remove it for ${field.default}.`;
  return [{ name, path: issue.path, problem: issue.message, remedy }];
}

/** Returns where a field is in the text, or where it belongs if it is missing. */
function offsetOf(node: unknown, [key, ...rest]: readonly PropertyKey[]): number | undefined {
  const pair = isMap(node)
    ? node.items.find(({ key: name }) => isScalar(name) && name.value === key)
    : undefined;
  return pair && (offsetOf(pair.value, rest) ?? (isScalar(pair.key) ? pair.key.range?.[0] : undefined));
}

function fileFault(problem: string): SettingFault {
  return {
    setting: 'PROVIDER_PROFILE',
    problem,
    remedy:
      'Set it to a YAML file like provider-profile.example.yml, or unset it: then only the features in the provider’s description are on.',
  };
}
