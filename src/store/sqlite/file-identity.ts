import { statSync } from 'node:fs';

/**
 * Returns what tells a file from every other one, also from its own copy and from one that reuses its inode number. Its
 * content, name, owner and mode are no part of it. Returns undefined where there is no such file.
 */
export function identityOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.ino}-${stat.birthtimeNs}`;
}

/** Some file systems do not record when a file was made: then the inode number decides. */
export function isSameFile(one: string, other: string | undefined): boolean {
  if (other === undefined) {
    return false;
  }
  const [inode, madeAt] = one.split('-');
  const [otherInode, otherMadeAt] = other.split('-');
  return inode === otherInode && (madeAt === otherMadeAt || madeAt === '0' || otherMadeAt === '0');
}
