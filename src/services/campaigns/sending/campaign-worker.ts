import { setImmediate } from 'node:timers/promises';
import { countPages } from '../../../domain/messages/pages.ts';
import { routeSchema } from '../../../domain/messages/routes.ts';
import type { ProviderAccount } from '../../../provider/client.ts';
import type {
  Campaign,
  CampaignRepository,
  ChunkEnding,
  ClaimedChunk,
} from '../../../store/campaigns/campaigns.ts';
import { sendMessage } from '../../operations/send-message.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { classifySendResult, type SendClassification } from './classify-send-result.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createThroughputMeter, type ThroughputMeter } from './throughput-meter.ts';

/** The sending of one campaign, until it ends, is paused, or the program stops. */
export interface CampaignWorker {
  /** Resolves when nothing of it is in flight, and how everything ended is written down. */
  ended: Promise<void>;
  speed: ThroughputMeter;
  /** Why it waits, or waited last; for a person. */
  trouble(): string | undefined;
  /** Has it look at once whether it was paused, resumed or cancelled. */
  wake(): void;
  /** Claims nothing more; what is in flight ends. */
  stop(): void;
}

/**
 * In milliseconds from one turn to the next, as every turn costs a write to the disk; endings that come meanwhile are
 * written down together. What was claimed together is answered at about the same time, and so seldom waits for this.
 */
const betweenTurns = 4;
/** Begun between two looks at what else there is to do, such as whoever types a command. */
const atOnce = 4;
/** After a failure of the database. */
const retryAfter = 2_000;

const failedMidway = {
  reason: 'failed_midway',
  message:
    'The program failed while the provider was being asked. It may have been sent: check before repeating it.',
};

const notConnected = {
  reason: 'not_connected',
  message:
    'The workspace’s provider key was removed, so the campaign waits. Nothing more was sent. Connect a key, then resume.',
};

export function startCampaignWorker(
  campaign: Campaign,
  tools: {
    campaigns: CampaignRepository;
    account: () => Promise<ProviderAccount | undefined>;
    pace: RateLimiter;
    /** How many more requests it may have in flight, with so many of its own there now. */
    room: (inFlight: number) => number;
    /** Tells that it has so many more requests in flight, or fewer. */
    occupy: (requests: number) => void;
    changed: (campaign: Campaign) => void;
    report: (error: unknown) => void;
    ended: (state: string) => void;
  },
): CampaignWorker {
  const { campaigns, pace } = tools;
  const size = campaign.personal ? 1 : 100;
  const speed = createThroughputMeter();
  const course = createCircuitBreaker(pace);
  const route = routeSchema.parse(campaign.route);
  const sharedText = campaign.text ?? '';
  const sharedUnicode = countPages(sharedText).needsUnicode;
  let inFlight = 0;
  let endings: ChunkEnding[] = [];
  let stopping = false;
  /** As of the last turn. */
  let state = campaign.state;
  /** Whether the last turn left a chunk that waits. */
  let moreWait = true;
  let turnedAt = Number.NEGATIVE_INFINITY;
  let nextTurn: NodeJS.Timeout | undefined;
  let ring = () => {};

  /** How many more requests it may have in flight: while no answer is clear, it tries with one. */
  function room(): number {
    const free = tools.room(inFlight);
    return course.isUnclear() ? Math.max(0, Math.min(free, 1 - inFlight)) : free;
  }

  async function ask(account: ProviderAccount, chunk: ClaimedChunk): Promise<SendClassification> {
    try {
      const outcome = await sendMessage(account, {
        to: chunk.digits,
        route,
        senderId: campaign.senderId,
        text: chunk.text ?? sharedText,
        unicode: chunk.text === undefined ? sharedUnicode : countPages(chunk.text).needsUnicode,
      });
      return classifySendResult(outcome);
    } catch (error) {
      tools.report(error);
      return { ending: { state: 'unconfirmed', error: failedMidway }, next: 'unclear' };
    }
  }

  async function send(account: ProviderAccount, chunk: ClaimedChunk): Promise<void> {
    const place = course.left();
    const verdict = await ask(account, chunk);
    course.answered(verdict, place);
    inFlight -= 1;
    tools.occupy(-1);
    endings.push({ ...verdict.ending, number: chunk.number });
    tools.ended(verdict.ending.state);
    if (verdict.ending.state !== 'waiting') {
      speed.passed(chunk.digits.length);
    }
    // Nothing else comes: then there is nothing to wait for.
    if (inFlight === 0) {
      ring();
    } else if (endings.length === 1) {
      gather();
    }
  }

  /** Has what ended be written down when enough time has passed since the last turn. */
  function gather(): void {
    clearTimeout(nextTurn);
    nextTurn = setTimeout(() => ring(), Math.max(1, turnedAt + betweenTurns - performance.now()));
  }

  /** Resolves when there are endings to write down, or chunks may be claimed, or it is woken. */
  function somethingToDo(mayClaim: boolean): Promise<void> {
    return new Promise((resolve) => {
      const wait = mayClaim && moreWait && room() > 0 ? pace.wait() : undefined;
      const timer = wait === undefined ? undefined : setTimeout(() => ring(), wait);
      ring = () => {
        clearTimeout(timer);
        resolve();
      };
      if (course.isPausing() || (inFlight === 0 && endings.length > 0)) {
        ring();
      } else if (endings.length > 0) {
        gather();
      }
    });
  }

  async function pauseNow(): Promise<void> {
    const pause = course.takePause();
    if (pause === undefined) {
      return;
    }
    try {
      await campaigns.move(campaign.workspaceId, campaign.id, ['running'], 'paused', { pause });
    } catch (error) {
      course.pauseFor(pause);
      throw error;
    }
    state = 'paused';
  }

  /** Writes down what ended, and claims chunks. */
  async function record(count: number) {
    const reported = endings;
    endings = [];
    turnedAt = performance.now();
    clearTimeout(nextTurn);
    try {
      return await campaigns.settleAndClaim(campaign, reported, count);
    } catch (error) {
      // Nothing was claimed, and what ended is still to be written down.
      endings = [...reported, ...endings];
      throw error;
    }
  }

  /** One turn. Undefined: the campaign was forgotten with its workspace. */
  async function turn(): Promise<Campaign | undefined> {
    await pauseNow();
    const places = stopping || state !== 'running' ? 0 : Math.min(room(), pace.chunks(size));
    // Both are taken before anything is waited for: no two campaigns count on the same place, or the same messages.
    tools.occupy(places);
    pace.started(places * size);
    let used = 0;
    let messages = 0;
    try {
      const account = places > 0 ? await tools.account() : undefined;
      if (places > 0 && account === undefined) {
        course.pauseFor({ by: 'program', error: notConnected });
      }
      const count = account === undefined ? 0 : places;
      const turned = await record(count);
      // Before anything else happens to it: those who watch are told in order.
      if (turned !== undefined) {
        tools.changed(turned.campaign);
      }
      moreWait = turned !== undefined && turned.claimed.length >= count;
      for (const chunk of turned?.claimed ?? []) {
        if (account === undefined) {
          continue;
        }
        used += 1;
        inFlight += 1;
        messages += chunk.digits.length;
        void send(account, chunk);
        if (used % atOnce === 0) {
          await setImmediate();
        }
      }
      state = turned?.campaign.state ?? state;
      return turned?.campaign;
    } finally {
      tools.occupy(used - places);
      pace.started(messages - places * size);
    }
  }

  async function run(): Promise<void> {
    for (;;) {
      let now: Campaign | undefined;
      try {
        now = await turn();
      } catch (error) {
        tools.report(error);
        if (stopping && inFlight === 0) {
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, retryAfter));
        continue;
      }
      if (now === undefined) {
        return;
      }
      const goesOn = now.state === 'running' && !stopping;
      if (!goesOn && inFlight === 0 && endings.length === 0) {
        return;
      }
      await somethingToDo(goesOn);
    }
  }

  return {
    ended: run(),
    speed,
    trouble: course.trouble,
    wake: () => ring(),
    stop() {
      stopping = true;
      ring();
    },
  };
}
