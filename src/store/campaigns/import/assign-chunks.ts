import { bytesOf } from '../../../domain/csv/file-bounds.ts';
import { countedProblems, type ProblemCounts } from '../../../domain/csv/rejected-row.ts';
import { quickCountryOf } from '../../../domain/limits/number-country.ts';
import type { BatchSize } from '../../../lib/batches.ts';
import type { CampaignCounts, ReadRow } from '../campaigns.ts';

export type Recipient = Extract<ReadRow, { kind: 'recipient' }>;
type Rejected = Pick<Extract<ReadRow, { kind: 'invalid' }>, 'problem' | 'missing'>;

/** A number's hash, and the chunk of the campaign that the number is in. */
export interface AssignedHash {
  hash: string;
  chunk: number;
}

/** How far an import is. Replaced as a whole once a batch is stored, so that a batch that failed can be added again. */
export interface ImportProgress {
  counts: CampaignCounts;
  invalidByProblem: ProblemCounts;
  /** Recipients of each country. */
  countries: Readonly<Record<string, number>>;
  /** Pages of each country. */
  countryPages: Readonly<Record<string, number>>;
  /** The chunk that is not full yet, and so not stored. */
  open: readonly Recipient[];
}

export interface RecipientBatch {
  recipients: readonly Recipient[];
  /** Of the recipients, in the same order. */
  hashes: readonly string[];
  /** The rejected rows that came with them. */
  rejected: readonly Rejected[];
}

export interface AssignedChunks {
  progress: ImportProgress;
  /** The chunks to store, from the number `counts.chunks` of the progress before. */
  full: Recipient[][];
  hashes: AssignedHash[];
}

export const noProgress: ImportProgress = {
  counts: {
    recipients: 0,
    duplicates: 0,
    suppressed: 0,
    acceptedBefore: 0,
    invalid: 0,
    pages: 0,
    fewestPages: 0,
    mostPages: 0,
    quiet: 0,
    accepted: 0,
    rejected: 0,
    unconfirmed: 0,
    chunks: 0,
  },
  invalidByProblem: {},
  countries: {},
  countryPages: {},
  open: [],
};

/**
 * Assigns a batch of recipients to chunks, in their order, except for suppressed numbers and duplicates.
 *
 * @param rules.isLast whether the open chunk is stored too, full or not
 */
export function assignChunks(
  {
    counts: before,
    invalidByProblem,
    countries: countriesBefore,
    countryPages: pagesBefore,
    open,
  }: ImportProgress,
  batch: RecipientBatch,
  rules: {
    /** The recipients or bytes at which a chunk is full. */
    fullChunk: BatchSize;
    isLast: boolean;
    isSuppressed(hash: string): boolean;
    /** Whether the number is in an earlier batch. */
    isKnown(hash: string): boolean;
  },
): AssignedChunks {
  const counts = { ...before, invalid: before.invalid + batch.rejected.length };
  const countries = { ...countriesBefore };
  const countryPages = { ...pagesBefore };
  const full: Recipient[][] = [];
  const assigned = new Map<string, number>();
  let current = [...open];
  let bytes = open.reduce((sum, recipient) => sum + bytesOfRecipient(recipient), 0);
  for (const [index, recipient] of batch.recipients.entries()) {
    const hash = batch.hashes[index];
    if (hash === undefined) {
      continue;
    }
    if (rules.isSuppressed(hash)) {
      counts.suppressed += 1;
    } else if (assigned.has(hash) || rules.isKnown(hash)) {
      counts.duplicates += 1;
    } else {
      assigned.set(hash, counts.chunks + full.length);
      const { number, pages, quiet } = recipient;
      counts.fewestPages = counts.recipients === 0 ? pages : Math.min(counts.fewestPages, pages);
      counts.mostPages = Math.max(counts.mostPages, pages);
      counts.recipients += 1;
      counts.pages += pages;
      counts.quiet += quiet ? 1 : 0;
      const country = quickCountryOf(number);
      countries[country] = (countries[country] ?? 0) + 1;
      countryPages[country] = (countryPages[country] ?? 0) + pages;
      current.push(recipient);
      bytes += bytesOfRecipient(recipient);
      if (current.length === rules.fullChunk.count || bytes >= rules.fullChunk.bytes) {
        full.push(current);
        current = [];
        bytes = 0;
      }
    }
  }
  if (rules.isLast && current.length > 0) {
    full.push(current);
    current = [];
  }
  counts.chunks += full.length;
  const problems = { ...invalidByProblem };
  for (const problem of batch.rejected.flatMap(countedProblems)) {
    problems[problem] = (problems[problem] ?? 0) + 1;
  }
  return {
    progress: {
      counts,
      invalidByProblem: problems,
      countries,
      countryPages,
      open: current,
    },
    full,
    hashes: [...assigned].map(([hash, chunk]) => ({ hash, chunk })),
  };
}

function bytesOfRecipient({ number, text = '', cells = [] }: Recipient): number {
  return bytesOf([number, text]) + bytesOf(cells);
}
