import { subDays } from 'date-fns/subDays';
import {
  decideEvent,
  decideWatch,
  dueDigest,
  type WatchChange,
  type WatchKind,
} from '../../domain/watch/watch.ts';
import { jobTopics } from '../../store/engine/jobs/jobs.ts';
import { readWatchNotice, type Watch } from '../../store/watch/watches.ts';
import type { AuditAction } from '../audit/audit-service.ts';
import type { Context } from '../context.ts';
import { type Reading, readers, type WatchDeps, type WatchRound } from './watch-facts.ts';
import { createWatchSettings, endWatches, type WatchSettings, watchPlace } from './watch-settings.ts';

/** Workspaces to check at once, so that one that waits for the provider delays few others. */
const concurrency = 4;
/** Kinds that depend on the provider account, so another key may change them. */
const ofAccount: readonly WatchKind[] = ['balance', 'provider', 'esim'];

/** A subject, with whether it is still watched. */
export interface ShownWatch extends Watch {
  isWatched: boolean;
  /** Who chose the channel; undefined where none is chosen. */
  setBy: string | undefined;
  /** The amount below which the balance is low. */
  below: string | undefined;
}

/** Looks at what may need somebody, and tells a channel of the workspace’s choice. */
export function createWatchers(context: Context, deps: WatchDeps) {
  const { store, time, report } = context;
  const { watches, jobs } = store;
  const settings = createWatchSettings(context);
  const wake = () => jobs.enqueue(jobTopics.notices, '').catch(report);

  async function find(workspaceId: string, notice: string): Promise<ShownWatch | undefined> {
    const { subject, since } = readWatchNotice(notice);
    const [row, set] = await Promise.all([
      watches.find({ workspaceId, subject }),
      settings.read(workspaceId),
    ]);
    return row?.since.getTime() === since ? withSettings(row, set) : undefined;
  }

  // What was said of the account is over.
  deps.workspaces.onAccountChange(async (workspaceId) => {
    const set = await settings.read(workspaceId);
    await watches.forgetAccount(workspaceId);
    if (set !== undefined) {
      await endWatches(context, workspaceId, ofAccount, watchPlace(set));
    }
  });

  async function lookAt(workspaceId: string): Promise<void> {
    const set = await settings.read(workspaceId);
    const isToTell =
      set === undefined
        ? await settings.finishRemoval(workspaceId)
        : await watchOnce(context, deps, { workspaceId, set });
    if (isToTell) {
      await wake();
    }
  }

  return {
    settings: {
      ...settings,
      async save(workspaceId: string, changed: Omit<WatchSettings, 'since'>): Promise<void> {
        await settings.save(workspaceId, changed);
        await wake();
      },
      async remove(workspaceId: string, userId: string): Promise<void> {
        await settings.remove(workspaceId, userId);
        await wake();
      },
    },

    /** Returns the subject of a notice; undefined if it is gone or has a later notice. */
    find,

    /** Returns open alerts that are not muted, and the changes of the last day, newest first. */
    async digest(workspaceId: string): Promise<ShownWatch[]> {
      const [rows, set] = await Promise.all([watches.all(workspaceId), settings.read(workspaceId)]);
      return ofDigest(rows, time.now())
        .sort((one, other) => other.changedAt.getTime() - one.changedAt.getTime())
        .map((row) => withSettings(row, set));
    },

    /** Has a notice keep quiet until it is over, or lets it speak again. Undefined: it is over, or gone. */
    async mute(
      { workspaceId, userId }: { workspaceId: string; userId: string },
      notice: string,
      isMuted: boolean,
    ): Promise<ShownWatch | undefined> {
      const row = await find(workspaceId, notice);
      if (row?.state !== 'raised') {
        return undefined;
      }
      const mutedBy = isMuted ? userId : undefined;
      const destination = { userId: row.setBy ?? userId, channelId: row.message?.channel };
      const { subject, kind, since } = row;
      const action: AuditAction = isMuted ? 'watch.mute' : 'watch.unmute';
      const isChanged = await watches.change(
        { workspaceId, subject, kind },
        destination,
        (now) =>
          now?.state !== 'raised' ||
          now.since.getTime() !== since.getTime() ||
          (now.mutedBy !== undefined) === isMuted
            ? undefined
            : { ...now, mutedBy, tells: true },
        { workspaceId, userId, action, subject: kind, outcome: 'done' },
      );
      if (isChanged) {
        await wake();
      }
      return find(workspaceId, notice);
    },

    /** Looks at every workspace that chose a channel. */
    async tick(signal: AbortSignal): Promise<void> {
      const waiting = await watches.workspaces();
      const work = async () => {
        for (let next = waiting.pop(); next !== undefined && !signal.aborted; next = waiting.pop()) {
          await lookAt(next).catch(report);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, work));
    },
  };
}

const withSettings = (row: Watch, set: WatchSettings | undefined): ShownWatch => ({
  ...row,
  isWatched: set !== undefined && !set.off.includes(row.kind),
  setBy: set?.setBy,
  below: set?.below,
});

/** What was so at the first look, and is over, is no news. */
function ofDigest(rows: readonly Watch[], now: Date): Watch[] {
  const dayAgo = subDays(now, 1);
  return rows.filter(
    ({ state, mutedBy, changedAt, version }) =>
      mutedBy === undefined && (state === 'raised' || (version > 0 && changedAt > dayAgo)),
  );
}

/** Resolves with whether there is something to tell. */
async function watchOnce(
  context: Context,
  deps: WatchDeps,
  { workspaceId, set }: { workspaceId: string; set: WatchSettings },
): Promise<boolean> {
  const { store, time, report } = context;
  const now = time.now();
  const about: WatchRound = {
    workspaceId,
    settings: set,
    rows: await store.watches.all(workspaceId),
    now,
    answers: [],
  };
  // Resolve alerts of kinds that were turned off, even if the program stopped while saving that.
  const isLeft = about.rows.some(({ kind, state }) => state === 'raised' && set.off.includes(kind));
  let hasNews = isLeft;
  if (isLeft) {
    await endWatches(context, workspaceId, set.off, watchPlace(set));
  }
  for (const [kind, read] of readers) {
    if (!set.off.includes(kind)) {
      const seen = await read(context, deps, about).catch((error: unknown) => void report(error));
      hasNews = (seen !== undefined && (await apply(context, { ...about, kind, seen }))) || hasNews;
    }
  }
  const date = dueDigest(set, now);
  if (date !== undefined) {
    const isNeeded = ofDigest(await store.watches.all(workspaceId), now).length > 0;
    hasNews =
      (await store.watches.digest(workspaceId, { date, destination: watchPlace(set), isNeeded })) || hasNews;
  }
  return hasNews;
}

/** Stores the changes of a kind. Resolves with whether there is something to post. */
async function apply(
  { store: { watches } }: Context,
  { workspaceId, settings, rows, now, kind, seen }: WatchRound & { kind: WatchKind; seen: Reading },
): Promise<boolean> {
  const { facts, known, firstOf } = seen;
  const decide = (subject: string, row: Watch | undefined): WatchChange | undefined => {
    const found = facts.get(subject);
    const isOld =
      firstOf !== undefined && (row === undefined || (row.state === 'cleared' && row.changedAt < firstOf));
    if (kind !== 'sender_id') {
      const change = decideWatch(row, found, now);
      // If the alert was never posted, neither is its resolution.
      const isUntold = isOld || (change?.state === 'cleared' && row?.version === 0);
      return change && { ...change, tells: change.tells && !isUntold };
    }
    return found && decideEvent(row, found, { isNews: found.step !== 'pending' && !isOld, now });
  };
  const rowsOfKind = new Map(rows.filter((row) => row.kind === kind).map((row) => [row.subject, row]));
  let hasNews = false;
  for (const subject of new Set([...rowsOfKind.keys(), ...facts.keys()])) {
    const isKnown = known === undefined || known.has(subject);
    if (isKnown && decide(subject, rowsOfKind.get(subject)) !== undefined) {
      const change = (row: Watch | undefined) => decide(subject, row);
      hasNews =
        (await watches.change({ workspaceId, subject, kind }, watchPlace(settings), change)) || hasNews;
    }
  }
  if (seen.seen !== undefined) {
    await watches.setSeen(workspaceId, kind, seen.seen, now);
  }
  return hasNews;
}
