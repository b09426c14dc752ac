import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type AsyncCache, createAsyncCache } from '../../lib/async-cache.ts';
import { jobTopics } from '../../store/engine/jobs/jobs.ts';
import type { Context } from '../context.ts';
import type { UnknownStatuses } from '../history/unknown-statuses.ts';
import type { Replies } from '../replies/replies.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { decideUnclear, readReports } from './read-reports.ts';

/** Where reports are sent to; the secret part of the address follows. */
export const reportsPath = '/provider/reports/';

/** What became of a request with reports. */
export type ReportsOutcome =
  | 'taken'
  /** No workspace has this address, or no reports are taken. */
  | 'unknown_address'
  | 'unsigned'
  /** By another key, or not of this body. */
  | 'wrong_signature'
  | 'malformed'
  | 'stale';

/** A request with reports, as it came. */
export interface ReportRequest {
  body: Uint8Array;
  /** The header with the signature, if there is one. */
  signature: string | undefined;
}

/** What an admin sees of the delivery reports of a workspace. */
export interface ReportSettings {
  /** The secret part of the address; undefined until it is made. */
  token: string | undefined;
  /** What the provider’s signature is made with. */
  key: 'api_key' | 'secret';
  /** Whether that key is there. */
  hasKey: boolean;
  lastReceived: Date | undefined;
}

const secretSchema = z.object({ secret: z.string() });

/** In milliseconds: how late it is noticed that another instance has changed an address or a key. */
const ttlMs = 5_000;
const maxCached = 1_000;
const wakeAfterMs = 500;
const dayMs = 24 * 60 * 60_000;
const usualSecret = /^[\x21-\x7e]{8,512}$/;
/** Of one request. */
const maxErrors = 10;

interface ReportDeps {
  workspaces: Pick<Workspaces, 'providerKey' | 'defaults' | 'onAccountChange'>;
  replies: Pick<Replies, 'take'>;
  unknownStatuses: UnknownStatuses;
}

export type Reports = ReturnType<typeof createReports>;

/** The provider’s delivery reports: their address, their signature, and taking them in. */
export function createReports(context: Context, deps: ReportDeps) {
  const { workspaces } = deps;
  const { store, broadcast } = context;
  const { reportSignature: intake } = context.settings;
  const { reportAddresses: addresses } = store;
  const cache = createAddressCache(context, workspaces);
  workspaces.onAccountChange(cache.forget);

  let isWaking = false;
  /** Schedules the follow-up work of reports, once for all that arrive together. */
  async function wakeSoon(): Promise<void> {
    if (isWaking) {
      return;
    }
    isWaking = true;
    await context.timers.sleep(wakeAfterMs);
    isWaking = false;
    // If this fails, the check that runs every minute finds it.
    await store.jobs.enqueue(jobTopics.deliveries, '').catch(() => {});
  }

  async function changed(workspaceId: string, userId: string | undefined, details: Record<string, string>) {
    cache.forget();
    broadcast.send('reports', workspaceId);
    const entry = { action: 'settings.change', subject: 'delivery reports', outcome: 'done' } as const;
    await context.audit.record({ workspaceId, userId, ...entry, details });
  }

  return {
    /** Whether reports are taken. */
    isOn: intake !== undefined,

    /** The name of the header with the signature, in small letters. */
    header: intake?.header,

    /** Drops cached addresses and keys. */
    forget: cache.forget,

    /** Takes in a request. If it is `taken`, its readable items are stored durably, and opt-outs and opt-ins carried out. */
    async receive(token: string, { body, signature }: ReportRequest): Promise<ReportsOutcome> {
      const workspaceId = intake === undefined ? undefined : await cache.workspaceOf(token);
      if (intake === undefined || workspaceId === undefined) {
        return 'unknown_address';
      }
      if (signature === undefined) {
        return 'unsigned';
      }
      const key = await cache.keyOf(workspaceId);
      return key !== undefined && isSignedBy(key, { body, signature }, intake)
        ? takeBody(context, deps, { workspaceId, body, wakeSoon })
        : 'wrong_signature';
    },

    async settings(workspaceId: string): Promise<ReportSettings> {
      const [token, key, lastReceived] = await Promise.all([
        addresses.find(workspaceId),
        readKey(context, workspaces, workspaceId),
        store.deliveries.lastReceived(workspaceId),
      ]);
      return { token, key: intake?.key ?? 'api_key', hasKey: key !== undefined, lastReceived };
    },

    /** Creates the address, or replaces it: the old one is refused from then on. */
    async createAddress(workspaceId: string, userId: string): Promise<void> {
      const before = await addresses.find(workspaceId);
      await addresses.create(workspaceId, userId);
      await changed(workspaceId, userId, { address: before === undefined ? 'made' : 'replaced' });
    },

    /** Stores the secret of the signature, which is never shown again. Returns why it cannot be one. */
    async saveSecret(workspaceId: string, typed: string): Promise<string | undefined> {
      const secret = typed.trim();
      if (!usualSecret.test(secret)) {
        return 'This doesn’t look like a secret. A secret has at least 8 letters, digits and symbols, and no spaces.';
      }
      await store.keyv(workspaceId, 'settings').set('reports', { secret });
      await changed(workspaceId, undefined, { secret: 'changed' });
      return undefined;
    },
  };
}

/** Which workspace an address is of, and what its signature is made with, for each request with reports. */
function createAddressCache(context: Context, workspaces: ReportDeps['workspaces']) {
  const { store, broadcast, time } = context;
  const ttl = { ms: ttlMs, elapsed: time.elapsed };
  const addressed = createAsyncCache<string | undefined>({ max: maxCached, ttl });
  const keys = createAsyncCache<KeyObject | undefined>({ max: maxCached, ttl });

  /** What isn’t there may be there the next time. */
  async function find<T>(cache: AsyncCache<T | undefined>, key: string, read: () => Promise<T | undefined>) {
    const value = await cache.get(key, read);
    if (value === undefined) {
      cache.delete(key);
    }
    return value;
  }

  function forget(): void {
    for (const cache of [addressed, keys]) {
      for (const key of [...cache.keys()]) {
        cache.delete(key);
      }
    }
  }
  broadcast.on('reports', forget);
  broadcast.on('settings', forget);

  return {
    forget,
    workspaceOf: (token: string) => find(addressed, token, () => store.reportAddresses.workspaceOf(token)),
    keyOf: (workspaceId: string) => find(keys, workspaceId, () => readKey(context, workspaces, workspaceId)),
  };
}

async function readKey(
  { store, settings }: Context,
  workspaces: ReportDeps['workspaces'],
  workspaceId: string,
): Promise<KeyObject | undefined> {
  if (settings.reportSignature?.key !== 'secret') {
    const key = await workspaces.providerKey(workspaceId);
    return key && createSecretKey(key.reveal(), 'utf8');
  }
  const value: unknown = await store.keyv(workspaceId, 'settings').get('reports');
  const stored = secretSchema.optional().parse(value);
  return stored && createSecretKey(stored.secret, 'utf8');
}

/**
 * Stores the body of a correctly signed request. Incoming messages come first and in order, because one may
 * be a STOP. Each is tried independently. Rejects if one couldn't be stored, so that the provider resends
 * them all.
 */
async function takeBody(
  { settings, store: { deliveries }, time, metrics, log }: Context,
  { workspaces, replies, unknownStatuses }: ReportDeps,
  { workspaceId, body, wakeSoon }: { workspaceId: string; body: Uint8Array; wakeSoon: () => Promise<void> },
): Promise<ReportsOutcome> {
  const { country } = await workspaces.defaults(workspaceId);
  const { sentAtZone } = settings;
  const maxAgeMs = settings.retentionDays * dayMs;
  const first = readReports(body, { now: time.now(), maxAgeMs, country, sentAtZone });
  const unclear = first.unclear.map(({ report }) => report);
  const read = decideUnclear(first, await deliveries.ownReports(workspaceId, unclear));

  const errors: unknown[] = [];
  /** How many reports are about messages that this program didn't send. */
  let foreign = 0;
  if (read.kind === 'read') {
    for (const reply of read.replies) {
      // If everything fails, answer the provider early.
      if (errors.length < maxErrors) {
        errors.push(...(await errorsOf(replies.take(workspaceId, reply))));
      }
    }
    if (read.reports.length > 0) {
      const recorded = deliveries.record(workspaceId, read.reports).then((leftAside) => {
        foreign = leftAside;
        void wakeSoon();
      });
      errors.push(...(await errorsOf(recorded)));
    }
  }
  if (errors.length > 0) {
    throw new AggregateError(errors, 'not all that was reported could be stored', { cause: errors[0] });
  }

  const { taken, leftAside } = read.items;
  const items = { ...read.items, taken: taken - foreign, leftAside: leftAside + foreign };
  metrics.reportItems(items);
  unknownStatuses.note(read.reports);
  const { unreadable, stale } = items;
  if (unreadable + stale > 0) {
    log.warn({ unreadable, stale }, 'some of what the provider reported was left out');
  }
  return read.kind === 'read' ? 'taken' : read.kind;
}

/** Resolves with the error that work ended with, if it did. */
function errorsOf(work: Promise<void>): Promise<unknown[]> {
  return work.then(
    () => [],
    (error: unknown) => [error],
  );
}

/** How the provider signs what it sends: by an HMAC over the raw body. */
export interface SignatureForm {
  hash: 'sha512' | 'sha256';
  encoding: 'hex' | 'base64';
}

const written = {
  hex: /^[0-9a-f]{1,256}$/i,
  base64: /^[A-Za-z0-9+/]{1,256}={0,2}$/,
} as const;

/** Whether the signature matches the body. Compares in constant time. */
export function isSignedBy(
  key: KeyObject,
  { body, signature }: { body: Uint8Array; signature: string },
  { hash, encoding }: SignatureForm,
): boolean {
  const expected = createHmac(hash, key).update(body).digest();
  const trimmed = signature.trim();
  // Node skips characters that it can't decode, but a signature has to be valid as a whole.
  if (!written[encoding].test(trimmed)) {
    return false;
  }
  const received = Buffer.from(trimmed, encoding);
  return received.length === expected.length && timingSafeEqual(received, expected);
}
