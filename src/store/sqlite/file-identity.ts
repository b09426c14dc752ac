import { statSync } from 'node:fs';

/**
 * Returns what tells a file from every other one, also from its own copy and from one that later has its number. Neither
 * its content nor its name, owner or mode is a part of it. Undefined where there is no such file.
 */
export function identityOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.ino}-${stat.birthtimeNs}`;
}

/** Whether two identities are of one file. Some file systems do not know when a file was made: then its number counts. */
export function isSameFile(one: string, other: string | undefined): boolean {
  if (other === undefined) {
    return false;
  }
  const [number, made] = one.split('-');
  const [otherNumber, otherMade] = other.split('-');
  return number === otherNumber && (made === otherMade || made === '0' || otherMade === '0');
}
