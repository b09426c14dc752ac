import { randomInt } from 'node:crypto';
import { countPages } from '../../../domain/messages/pages.ts';
import { routeSchema } from '../../../domain/messages/routes.ts';
import {
  maskNumber,
  type PhoneNumber,
  phoneNumberSchema,
  toDigits,
} from '../../../domain/phone/phone-number.ts';
import { readNumber } from '../../../domain/phone/read-number.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Campaign, CampaignRepository as Kept } from '../../../store/campaigns/campaigns.ts';
import type { DndChecker } from '../../numbers/dnd-check.ts';
import type { Operations } from '../../operations/operations.ts';
import { endingOf } from '../../operations/outcomes.ts';
import { ifOwn } from '../../operations/ownership.ts';
import { sendMessage } from '../../operations/send-message.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import type { CampaignService, Preview } from '../campaigns.ts';
import { previewOf } from './preview.ts';

/** What can be looked at and tried of a campaign before it goes. */
export interface Preflight extends Pick<CampaignService, 'preview' | 'checkDnd' | 'sendTest'> {
  /** A person's own campaign that waits to be started. */
  ready(workspaceId: string, id: string, userId: string): Promise<Campaign | undefined>;
  previewOf(campaign: Campaign, columns?: Preview['columns']): Promise<Preview>;
}

/** So many recipients tell how many are on Do-Not-Disturb; each takes a request (API §4.9). */
const sampleSize = 1_000;

export function createPreflight(options: {
  campaigns: Kept;
  workspaces: Workspaces;
  numbers: DndChecker;
  operations: Operations;
  messagesPerSecond: number;
  clock: Clock;
}): Preflight {
  const { campaigns, workspaces, numbers, operations, messagesPerSecond, clock } = options;

  async function ready(workspaceId: string, id: string, userId: string): Promise<Campaign | undefined> {
    const campaign = ifOwn(await campaigns.find(workspaceId, id), userId);
    return campaign?.state === 'ready' ? campaign : undefined;
  }

  const preview = (campaign: Campaign, columns?: Preview['columns']) =>
    previewOf(campaign, { campaigns, columns, messagesPerSecond, now: clock() });

  return {
    ready,

    previewOf: preview,

    async preview(workspaceId, id, userId) {
      const campaign = await ready(workspaceId, id, userId);
      return campaign && preview(campaign);
    },

    async checkDnd({ workspaceId, id, userId }, { progress, signal } = {}) {
      const campaign = await ready(workspaceId, id, userId);
      if (campaign === undefined) {
        return { kind: 'gone' };
      }
      const picked = await pickRecipients(campaign, campaigns);
      const report = await numbers.checkDnd(workspaceId, picked, {
        progress: (done) => progress?.(done, picked.length),
        ...(signal === undefined ? {} : { signal }),
      });
      if (report.kind === 'not_connected') {
        return report;
      }
      const inState = (state: string) => report.numbers.filter(({ dnd }) => dnd === state).length;
      return {
        kind: 'checked',
        checked: picked.length,
        active: inState('active'),
        unknown: inState('unknown'),
        sample: picked.length < campaign.counts.recipients,
      };
    },

    async sendTest({ workspaceId, userId, id, key, number: typed }) {
      const campaign = await ready(workspaceId, id, userId);
      if (campaign === undefined) {
        return { kind: 'gone' };
      }
      const { country } = await workspaces.defaults(workspaceId);
      const number = readNumber(typed, country);
      if (!number.ok) {
        return { kind: 'fault', fault: `This ${number.reason}.` };
      }
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const { examples } = await preview(campaign);
      const [{ text, pages } = { text: '', pages: 0 }] = examples;
      const { senderId, name } = campaign;
      const route = routeSchema.parse(campaign.route);
      const intent = {
        workspaceId,
        key,
        kind: 'campaign.test',
        userId: userId,
        numbers: [number.number],
        summary: { campaign: name, route, senderId, to: maskNumber(number.number) },
      };
      return operations.perform(intent, async () => {
        const outcome = await sendMessage(account, {
          to: [toDigits(number.number)],
          route,
          senderId,
          text,
          unicode: countPages(text).needsUnicode,
        });
        return endingOf(outcome, ({ messageId, balance }) => ({ providerId: messageId, pages, balance }));
      });
    },
  };
}

/** Up to a thousand recipients: all, or picked at random. */
async function pickRecipients(campaign: Campaign, campaigns: Kept): Promise<PhoneNumber[]> {
  const { workspaceId, id, counts, personal } = campaign;
  if (counts.recipients <= sampleSize) {
    const all: PhoneNumber[] = [];
    for await (const { to } of campaigns.chunks(workspaceId, id, ['waiting'])) {
      all.push(...to.map((number) => phoneNumberSchema.parse(number)));
    }
    return all;
  }
  // By their places as they were read: where somebody was taken out since, nobody is picked.
  const size = personal ? 1 : 100;
  const positions = new Set<number>();
  while (positions.size < sampleSize) {
    positions.add(randomInt(counts.recipients));
  }
  const chunks = new Map<number, readonly string[]>();
  const numbersOfChunks = [...new Set([...positions].map((position) => Math.floor(position / size)))];
  for (const { number, to } of await campaigns.pick(workspaceId, id, numbersOfChunks)) {
    chunks.set(number, to);
  }
  return [...positions].flatMap((position) => {
    const number = chunks.get(Math.floor(position / size))?.[position % size];
    return number === undefined ? [] : [phoneNumberSchema.parse(number)];
  });
}
