import { isSameFile } from '../sqlite/file-identity.ts';
import type { Marker } from '../sqlite/marker.ts';
import type { InstallationRow } from './installation.ts';
import type { Machine } from './machine.ts';

/**
 * How the data differs from what ran here last:
 * - `older`: the marker is ahead of the database;
 * - `no_mark`: there is no marker beside the database;
 * - `other_files`: the database or its marker is a copy, or belongs to another database;
 * - `other_machine`: it ran on another machine before;
 * - `other_database`: it is in another PostgreSQL database than before, or recovered there from a backup;
 * - `declared`: a person says so.
 */
export type TakeoverReason =
  | 'older'
  | 'no_mark'
  | 'other_files'
  | 'other_machine'
  | 'other_database'
  | 'declared';

export interface FoundData {
  row: InstallationRow | undefined;
  /** The marker that belongs to the row. */
  ownMarker: Marker | undefined;
  /** Whether there is a marker in its place, readable or not, of this database or not. */
  hasMarker: boolean;
  /** See `identityOf`. */
  databaseFile: string | undefined;
  isLogOlder: boolean;
  machine: Machine;
}

/**
 * Decides whether the data was restored or copied since it ran last. Returns undefined for data that is as this
 * installation left it, or that is new.
 */
export function takeoverReason(found: FoundData): TakeoverReason | undefined {
  const { row, ownMarker, hasMarker, databaseFile, isLogOlder, machine } = found;
  if (row === undefined) {
    return hasMarker ? 'other_files' : undefined;
  }
  if (ownMarker === undefined) {
    return hasMarker ? 'other_files' : 'no_mark';
  }
  if (ownMarker.writes > row.writes) {
    return 'older';
  }
  if (!isSameFile(row.databaseFile, databaseFile) || isLogOlder) {
    return 'other_files';
  }
  if (row.machine !== undefined && machine.id !== undefined && row.machine !== machine.id) {
    return 'other_machine';
  }
  // Without a power cut in between, a marker is never further behind: it was put back, beside a log that was not.
  return machine.boot !== undefined && row.boot === machine.boot && ownMarker.writes < row.writes - 1
    ? 'other_files'
    : undefined;
}
