import type { Time } from '../../../lib/time.ts';
import type { Campaign, CampaignRepository } from '../../../store/campaigns/campaigns.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import type { CampaignThroughput } from '../campaigns.ts';
import { type CampaignWorker, startCampaignWorker } from './campaign-worker.ts';
import { stateWhenDue } from './is-due.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';

/** Sends the campaigns of all workspaces, each when its time has come. */
export interface CampaignScheduler {
  /** From now on; what a stop or a crash left goes on with the next chunk. */
  begin(): void;
  /** Looks at once for what is to be done: something was started, resumed or stopped. */
  wake(): Promise<void>;
  pace(campaign: Campaign): CampaignThroughput;
  /** Claims nothing more, and resolves when what is in flight has ended and is written down. */
  stop(): Promise<void>;
}

export interface CampaignLimits {
  /** Requests of one workspace's campaigns in flight at once. */
  maxRequests: number;
  /** Messages a second of one workspace's campaigns. */
  messagesPerSecond: number;
}

/** Time may pass by leaps, and clocks be set: so it is looked at, rather than reckoned ahead. */
const lookEvery = 1_000;

export function createCampaignScheduler(options: {
  campaigns: CampaignRepository;
  workspaces: Workspaces;
  limits: CampaignLimits;
  time: Time;
  changed: (campaign: Campaign) => void;
  report: (error: unknown) => void;
  /** Called with how each chunk ended, for the metrics. */
  ended: (state: string) => void;
}): CampaignScheduler {
  const { campaigns, workspaces, limits, time, changed, report } = options;
  /** Those that took their places longest ago come first. */
  const runs = new Map<string, { workspaceId: string; run: CampaignWorker }>();
  const paces = new Map<string, RateLimiter>();
  /** Requests in flight, by workspace. */
  const occupied = new Map<string, number>();
  const nameOf = ({ workspaceId, id }: Campaign) => JSON.stringify([workspaceId, id]);
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let begun = false;
  let stopping = false;

  function paceOf(workspaceId: string): RateLimiter {
    const known = paces.get(workspaceId);
    const pace = known ?? createRateLimiter({ perSecond: limits.messagesPerSecond });
    paces.set(workspaceId, pace);
    return pace;
  }

  const runsOf = (workspaceId: string) =>
    [...runs.values()].filter((run) => run.workspaceId === workspaceId).map(({ run }) => run);

  /** Those that run at once share alike what a workspace may have in flight; what cannot be shared so stays free. */
  function roomFor(workspaceId: string, own: number): number {
    const share = Math.max(1, Math.floor(limits.maxRequests / Math.max(1, runsOf(workspaceId).length)));
    const free = limits.maxRequests - (occupied.get(workspaceId) ?? 0);
    return Math.max(0, Math.min(share - own, free));
  }

  function occupy(workspaceId: string, requests: number): void {
    const before = occupied.get(workspaceId) ?? 0;
    occupied.set(workspaceId, before + requests);
    const running = runsOf(workspaceId);
    // Whoever found no room may be waiting for this.
    if (requests < 0 && before >= limits.maxRequests && running.length > 1) {
      for (const run of running) {
        run.wake();
      }
    }
  }

  /** So that others have the next place that is free. */
  function putLast(name: string): void {
    const known = runs.get(name);
    if (known === undefined) {
      return;
    }
    runs.delete(name);
    runs.set(name, known);
  }

  function take(campaign: Campaign): void {
    const name = nameOf(campaign);
    const { workspaceId } = campaign;
    if (stopping || runs.has(name)) {
      return;
    }
    const run = startCampaignWorker(campaign, {
      campaigns,
      account: () => workspaces.account(workspaceId),
      pace: paceOf(workspaceId),
      room: (own) => roomFor(workspaceId, own),
      occupy: (requests) => {
        if (requests > 0) {
          putLast(name);
        }
        occupy(workspaceId, requests);
      },
      changed,
      report,
      ended: options.ended,
    });
    runs.set(name, { workspaceId, run });
    run.ended.catch(report).finally(() => runs.delete(name));
  }

  /** A campaign whose time has come starts, unless that is too long ago. */
  async function begin(campaign: Campaign): Promise<void> {
    const { workspaceId, id } = campaign;
    const now = time.toStart();
    const due = now && stateWhenDue(campaign, now);
    if (due === undefined) {
      return;
    }
    const patch = due === 'missed' ? {} : { startedAt: now };
    const moved = await campaigns.move(workspaceId, id, ['scheduled'], due, patch);
    if (moved === undefined) {
      return;
    }
    changed(moved);
    if (due === 'running') {
      take(moved);
    }
  }

  async function look(): Promise<void> {
    for (const campaign of await campaigns.inState(['scheduled', 'running'])) {
      if (stopping) {
        return;
      }
      if (campaign.state === 'scheduled') {
        await begin(campaign);
      } else {
        take(campaign);
      }
    }
  }

  function lookSoon(): void {
    timer = setTimeout(() => {
      // One after the other, so that a stop waits for all of them.
      looking = (looking ?? Promise.resolve())
        .then(look)
        .catch(report)
        .finally(() => {
          if (!stopping) {
            lookSoon();
          }
        });
    }, lookEvery);
  }

  return {
    begin() {
      begun = true;
      looking = look().catch(report);
      lookSoon();
    },
    async wake() {
      if (!begun) {
        return;
      }
      for (const { run } of runs.values()) {
        run.wake();
      }
      // Whoever started or steered a campaign has done so, and it is looked again soon.
      await look().catch(report);
    },
    pace(campaign) {
      const known = runs.get(nameOf(campaign));
      if (known === undefined) {
        return { messagesPerSecond: 0 };
      }
      const rate = known.run.speed.perSecond();
      const { recipients, accepted, rejected, unconfirmed } = campaign.counts;
      const waiting = recipients - accepted - rejected - unconfirmed;
      const held = paceOf(campaign.workspaceId).held();
      return {
        messagesPerSecond: rate,
        lastProblem: known.run.trouble(),
        ...(rate > 0 ? { remainingMs: (waiting / rate) * 1000 } : {}),
        ...(held > 0 ? { waitsUntil: new Date(time.now().getTime() + held) } : {}),
      };
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await looking;
      for (const { run } of runs.values()) {
        run.stop();
      }
      await Promise.all([...runs.values()].map(({ run }) => run.ended));
    },
  };
}
