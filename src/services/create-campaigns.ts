import { randomInt } from 'node:crypto';
import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Clock } from '../clock.ts';
import { countPages } from '../rules/pages.ts';
import { maskNumber, type PhoneNumber, phoneNumberSchema, toDigits } from '../rules/phone-number.ts';
import { isQuietOperator } from '../rules/quiet-hours.ts';
import { readNumber } from '../rules/read-number.ts';
import { routeSchema } from '../rules/routes.ts';
import type { Campaign, CampaignState, Campaigns as Kept, ReadRow } from '../store/campaigns.ts';
import { campaignFile, linesOf } from './campaign-files.ts';
import { previewOf } from './campaign-preview.ts';
import { readCampaign, writeDown } from './campaign-reading.ts';
import { type CampaignLimits, createCampaignRunner } from './campaign-runner.ts';
import type { Campaigns, Reading, ReadingRequest, Steering, SteeringRequest } from './campaigns.ts';
import { deliver } from './deliver.ts';
import { oneAfterTheOther } from './in-turn.ts';
import type { Numbers } from './numbers.ts';
import type { Operations } from './operations.ts';
import { endingOf } from './outcomes.ts';
import type { Workspaces } from './workspaces.ts';

/** So many recipients tell how many are on Do-Not-Disturb; each takes a request (API §4.9). */
const sampleSize = 1_000;
const underWay = ['scheduled', 'running', 'paused'] as const;

export function createCampaigns(options: {
  campaigns: Kept;
  workspaces: Workspaces;
  numbers: Numbers;
  operations: Operations;
  unicode: boolean;
  limits: CampaignLimits;
  clock: Clock;
  /** Hears of faults that nobody waits for. */
  report: (error: unknown) => void;
  ended: (state: string) => void;
}): Campaigns {
  const { campaigns, workspaces, numbers, operations, unicode, limits, clock, report } = options;
  const listeners = new Set<(campaign: Campaign) => void>();
  const oneByOne = oneAfterTheOther();
  const readings = new Map<string, { what: string; reading: Promise<Reading> }>();
  const changed = (campaign: Campaign) => {
    for (const listener of listeners) {
      try {
        listener(campaign);
      } catch (error) {
        report(error);
      }
    }
  };
  const runner = createCampaignRunner({
    campaigns,
    workspaces,
    limits,
    clock,
    changed,
    report,
    ended: options.ended,
  });

  const preview = (campaign: Campaign, columns?: { titles: string[]; chosen: number }) =>
    previewOf(campaign, {
      campaigns,
      columns,
      messagesPerSecond: limits.messagesPerSecond,
      now: clock(),
    });

  /** A person's own campaign that waits to be started. */
  async function ready(workspaceId: string, id: string, personId: string): Promise<Campaign | undefined> {
    const campaign = await campaigns.find(workspaceId, id);
    return campaign?.author === personId && campaign.state === 'ready' ? campaign : undefined;
  }

  /**
   * What is known under an id already: what was read before gives way, and so does a reading that broke off, since one
   * goes on after the other; what was started stays.
   */
  async function makeRoom(workspaceId: string, id: string): Promise<Reading | undefined> {
    const known = await campaigns.find(workspaceId, id);
    if (known === undefined) return undefined;
    if (await campaigns.discard(workspaceId, id)) return undefined;
    return startedMeanwhile(workspaceId, id);
  }

  async function read(request: ReadingRequest): Promise<Reading> {
    const { workspaceId, id } = request;
    const known = await makeRoom(workspaceId, id);
    if (known !== undefined) return known;
    const result = await readCampaign(request, { campaigns, workspaces, unicode });
    if (result.kind === 'read') {
      return { kind: 'ready', preview: await preview(result.campaign, result.columns) };
    }
    return result.kind === 'known' ? startedMeanwhile(workspaceId, id) : result;
  }

  async function startedMeanwhile(workspaceId: string, id: string): Promise<Reading> {
    const campaign = await campaigns.find(workspaceId, id);
    if (campaign === undefined) throw new Error('a campaign was known and is not');
    return { kind: 'started', campaign };
  }

  /** One after the other, so that the last form submitted is the one that counts; the same one again is not read again. */
  function inTurn(name: string, what: string, work: () => Promise<Reading>): Promise<Reading> {
    const last = readings.get(name);
    if (last?.what === what) return last.reading;
    const reading = oneByOne(name, work).finally(() => {
      if (readings.get(name)?.reading === reading) readings.delete(name);
    });
    readings.set(name, { what, reading });
    return reading;
  }

  /** Changes a campaign's state for someone who may: its author, or an admin. */
  async function steer(
    { workspaceId, personId, isAdmin, id }: SteeringRequest,
    from: readonly CampaignState[],
    to: CampaignState,
    patch: Parameters<Kept['move']>[4] = {},
  ): Promise<Steering> {
    const campaign = await campaigns.find(workspaceId, id);
    if (campaign === undefined) return { kind: 'gone' };
    if (campaign.author !== personId && !isAdmin) return { kind: 'not_allowed', campaign };
    const moved = await campaigns.move(workspaceId, id, from, to, patch);
    if (moved === undefined) {
      return { kind: 'too_late', campaign: (await campaigns.find(workspaceId, id)) ?? campaign };
    }
    changed(moved);
    await runner.wake();
    return { kind: 'done', campaign: (await campaigns.find(workspaceId, id)) ?? moved };
  }

  return {
    read(request) {
      const { workspaceId, id, personId, source, form, numberColumn } = request;
      const what = JSON.stringify([personId, source, form, numberColumn]);
      return inTurn(JSON.stringify([workspaceId, id]), what, () => read(request));
    },

    async preview(workspaceId, id, personId) {
      const campaign = await ready(workspaceId, id, personId);
      return campaign && preview(campaign);
    },

    async checkDnd({ workspaceId, id, personId }, { progress, signal } = {}) {
      const campaign = await ready(workspaceId, id, personId);
      if (campaign === undefined) return { kind: 'gone' };
      const picked = await pickRecipients(campaign, campaigns);
      const report = await numbers.checkDnd(workspaceId, picked, {
        progress: (done) => progress?.(done, picked.length),
        ...(signal === undefined ? {} : { signal }),
      });
      if (report.kind === 'not_connected') return report;
      const inState = (state: string) => report.numbers.filter(({ dnd }) => dnd === state).length;
      return {
        kind: 'checked',
        checked: picked.length,
        active: inState('active'),
        unknown: inState('unknown'),
        sample: picked.length < campaign.counts.recipients,
      };
    },

    async sendTest({ workspaceId, personId, id, key, number: typed }) {
      const campaign = await ready(workspaceId, id, personId);
      if (campaign === undefined) return { kind: 'gone' };
      const { country } = await workspaces.defaults(workspaceId);
      const number = readNumber(typed, country);
      if (!number.ok) return { kind: 'fault', fault: `This ${number.reason}.` };
      const account = await workspaces.account(workspaceId);
      if (account === undefined) return { kind: 'not_connected' };
      const { examples } = await preview(campaign);
      const [{ text, pages } = { text: '', pages: 0 }] = examples;
      const { senderId, name } = campaign;
      const route = routeSchema.parse(campaign.route);
      const intent = {
        workspaceId,
        key,
        kind: 'campaign.test',
        actor: personId,
        numbers: [number.number],
        summary: { campaign: name, route, senderId, to: maskNumber(number.number) },
      };
      const performed = await operations.perform(intent, async () => {
        const outcome = await deliver(account, {
          to: [toDigits(number.number)],
          route,
          senderId,
          text,
          unicode: countPages(text).needsUnicode,
        });
        return endingOf(outcome, ({ messageId, balance }) => ({ providerId: messageId, pages, balance }));
      });
      return { kind: 'performed', ...performed };
    },

    async start({ workspaceId, personId, id, place, at, lateLimit }) {
      if ((await workspaces.account(workspaceId)) === undefined) return { kind: 'not_connected' };
      const patch = {
        ...(place === undefined ? {} : { place }),
        ...(at === undefined
          ? { startedAt: clock() }
          : {
              startAt: at.time,
              zone: at.zone,
              ...(lateLimit === undefined ? {} : { latestStart: addMilliseconds(at.time, lateLimit) }),
            }),
      };
      const mine = await ready(workspaceId, id, personId);
      const started =
        mine && (await campaigns.move(workspaceId, id, ['ready'], at ? 'scheduled' : 'running', patch));
      if (started !== undefined) {
        changed(started);
        await runner.wake();
        return { kind: 'started', campaign: started, first: true };
      }
      const known = await campaigns.find(workspaceId, id);
      return known?.author === personId && known.state !== 'reading'
        ? { kind: 'started', campaign: known, first: false }
        : { kind: 'gone' };
    },

    pause: (request) =>
      steer(request, ['running'], 'paused', {
        steeredBy: request.personId,
        pause: { by: 'person', personId: request.personId },
      }),

    resume: (request) => steer(request, ['paused'], 'running', { steeredBy: request.personId }),

    cancel: (request) => steer(request, underWay, 'cancelled', { steeredBy: request.personId }),

    async retry({ which, ...request }) {
      const { workspaceId, personId, isAdmin, id } = request;
      const campaign = await campaigns.find(workspaceId, id);
      if (campaign === undefined) return { kind: 'gone' };
      if (campaign.author !== personId && !isAdmin) return { kind: 'not_allowed', campaign };
      const { inFlight } = campaign;
      if (campaign.text === undefined || inFlight > 0 || underWay.some((state) => state === campaign.state)) {
        return { kind: 'too_late', campaign };
      }
      const { route, senderId, personal, text } = campaign;
      // Of the campaign's own id, so that however often it is asked for, nobody is sent to twice.
      const newId = `${id}.${which}`;
      return inTurn(JSON.stringify([workspaceId, newId]), personId, async () => {
        const known = await makeRoom(workspaceId, newId);
        if (known !== undefined) return known;
        const written = await writeDown(
          {
            id: newId,
            workspaceId,
            author: personId,
            name: nameAgain(campaign.name, which),
            route,
            senderId,
            personal,
            text,
            retryOf: id,
          },
          rowsOf(campaign, which, campaigns),
          { campaigns },
        );
        if (written.kind === 'written') return { kind: 'ready', preview: await preview(written.campaign) };
        return written.kind === 'known' ? startedMeanwhile(workspaceId, newId) : written;
      });
    },

    async file({ which, workspaceId, personId, isAdmin, id }) {
      const campaign = await campaigns.find(workspaceId, id);
      const allowed = campaign !== undefined && (campaign.author === personId || isAdmin);
      return allowed && campaign.text !== undefined && linesOf(campaign, which) > 0
        ? campaignFile(campaign, which, campaigns)
        : undefined;
    },

    find: (workspaceId, id) => campaigns.find(workspaceId, id),

    recent: ({ workspaceId, personId, states, limit }) =>
      campaigns.recent({
        workspaceId,
        limit,
        ...(personId === undefined ? {} : { author: personId }),
        ...(states === undefined ? {} : { states }),
      }),

    pace: (campaign) => runner.pace(campaign),

    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    showsIn: ({ workspaceId, id }, message) => campaigns.setMessage(workspaceId, id, message),

    untold: () => campaigns.untold(),

    underWay: () => campaigns.inState(underWay),

    tell: ({ id, workspaceId }, say) => campaigns.tell(workspaceId, id, say),

    begin: () => runner.begin(),

    stop: () => runner.stop(),
  };
}

/** Up to a thousand recipients: all, or picked at random. */
async function pickRecipients(campaign: Campaign, campaigns: Kept): Promise<PhoneNumber[]> {
  const { workspaceId, id, counts, personal } = campaign;
  const size = personal ? 1 : 100;
  const positions = new Set<number>();
  const wanted = Math.min(sampleSize, counts.recipients);
  while (positions.size < wanted) {
    positions.add(wanted === counts.recipients ? positions.size : randomInt(counts.recipients));
  }
  const chunks = new Map<number, readonly string[]>();
  const numbersOfChunks = [...new Set([...positions].map((position) => Math.floor(position / size)))];
  for (const { number, to } of await campaigns.pick(workspaceId, id, numbersOfChunks)) chunks.set(number, to);
  return [...positions].flatMap((position) => {
    const number = chunks.get(Math.floor(position / size))?.[position % size];
    return number === undefined ? [] : [phoneNumberSchema.parse(number)];
  });
}

/** Tells a campaign to some of another's recipients from that one. */
function nameAgain(name: string, which: 'rejected' | 'unconfirmed'): string {
  return `${name.replace(/ · the (?:rejected|unconfirmed) again$/, '')} · the ${which} again`;
}

/** The recipients of a campaign that ended so, as rows of a new one. */
async function* rowsOf(
  campaign: Campaign,
  state: 'rejected' | 'unconfirmed',
  campaigns: Kept,
): AsyncGenerator<ReadRow> {
  const sharedPages = countPages(campaign.text ?? '').pages;
  let line = 0;
  for await (const { to, text } of campaigns.chunks(campaign.workspaceId, campaign.id, [state])) {
    for (const number of to) {
      line += 1;
      yield {
        kind: 'recipient',
        line,
        number,
        quiet: isQuietOperator(phoneNumberSchema.parse(number)),
        ...(text === undefined ? { pages: sharedPages } : { text, pages: countPages(text).pages }),
      };
    }
  }
}
