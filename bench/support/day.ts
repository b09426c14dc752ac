import { randomUUID } from 'node:crypto';
import { phoneNumberSchema } from '../../src/domain/phone/phone-number.ts';
import type { Services } from '../../src/services/services.ts';
import { asSeen } from '../../test/support/campaign-harness.ts';
import { csvOf, digitsOf } from './recipients.ts';

/** What people of a workspace do, by the name that it has in the table. */
export type Action = 'Home' | 'message' | 'code' | 'check of 5 numbers' | 'history' | 'campaign of 1,000';

/** A day of one workspace, and the share of workspaces that have such a day. */
export interface Day {
  name: string;
  share: number;
  actions: Readonly<Partial<Record<Action, number>>>;
}

/** Most workspaces do little: that is what makes many of them cheap. */
const days: readonly Day[] = [
  { name: 'quiet', share: 0.6, actions: { Home: 1 } },
  {
    name: 'small',
    share: 0.3,
    actions: { Home: 1, message: 3, code: 1, 'check of 5 numbers': 1, history: 1 },
  },
  {
    name: 'busy',
    share: 0.09,
    actions: { Home: 3, message: 20, code: 10, 'check of 5 numbers': 5, history: 5 },
  },
  {
    name: 'campaigning',
    share: 0.01,
    actions: {
      Home: 3,
      message: 20,
      code: 10,
      'check of 5 numbers': 5,
      history: 5,
      'campaign of 1,000': 1,
    },
  },
];

export interface Step {
  workspaceId: string;
  action: Action;
}

export const workspaceAt = (index: number): string => `T${String(index).padStart(8, '0')}`;

/** Returns what happens in all workspaces in a day, in an order that a seed decides. */
export function stepsOf(workspaces: number, seed: number): Step[] {
  const steps: Step[] = [];
  for (let index = 0; index < workspaces; index += 1) {
    const { actions } = dayOf((index + 0.5) / workspaces);
    for (const [action, count] of Object.entries(actions)) {
      for (let time = 0; time < count; time += 1) {
        steps.push({ workspaceId: workspaceAt(index), action: action as Action });
      }
    }
  }
  // Fisher and Yates, by a generator of Park and Miller.
  let state = seed;
  for (let last = steps.length - 1; last > 0; last -= 1) {
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (last + 1);
    const [one, two] = [steps[last], steps[other]];
    if (one !== undefined && two !== undefined) {
      [steps[last], steps[other]] = [two, one];
    }
  }
  return steps;
}

function dayOf(position: number): Day {
  let end = 0;
  for (const day of days) {
    end += day.share;
    if (position < end) {
      return day;
    }
  }
  throw new Error('The shares of the days are less than 1.');
}

let numbers = 0;
const nextNumber = () => {
  numbers += 1;
  return phoneNumberSchema.parse(`+${digitsOf(numbers)}`);
};
const userId = 'U0AGENT';

/** Does one thing in a workspace, through the services, as its Slack listener does. Throws where it did not succeed. */
export async function perform({ workspaceId, action }: Step, services: Services): Promise<void> {
  const who = { workspaceId, userId };
  switch (action) {
    case 'Home':
      await services.home.attention(workspaceId, userId);
      return;
    case 'history':
      await services.history.page({ ...who, scope: 'everyone' }, { limit: 10 });
      return;
    case 'check of 5 numbers':
      await services.dndChecker.checkDnd(who, Array.from({ length: 5 }, nextNumber));
      return;
    case 'message':
      return sendMessage(who, services);
    case 'code':
      return sendCode(who, services);
    case 'campaign of 1,000':
      return sendCampaign(who, services);
  }
}

interface Who {
  workspaceId: string;
  userId: string;
}

async function sendMessage({ workspaceId, userId }: Who, { messages }: Services): Promise<void> {
  const draftId = randomUUID();
  const text = 'Your parcel is on its way. Reply STOP to opt out.';
  const content = { recipients: [nextNumber()], senderId: 'PalmMarket', route: 'dnd' as const, text };
  const draft = await messages.save(workspaceId, draftId, userId, content);
  await messages.review({ workspaceId, userId, permissions: new Set() }, draft);
  const { version } = draft;
  requireAccepted(await messages.send({ workspaceId, userId, draftId, version, seen: {} }));
}

async function sendCode({ workspaceId, userId }: Who, { otp }: Services): Promise<void> {
  const key = randomUUID();
  const life = { length: 6, minutes: 10, attempts: 3 };
  const form = {
    way: 'sms' as const,
    to: nextNumber(),
    senderId: 'PalmMarket',
    text: 'Your code is {code}.',
  };
  const shown = await otp.shownOf(workspaceId, form.senderId);
  requireAccepted(await otp.send({ workspaceId, userId, key, code: { ...life, ...form }, shown }));
  await otp.verify(workspaceId, key, userId, '000000');
}

async function sendCampaign({ workspaceId, userId }: Who, { campaigns }: Services): Promise<void> {
  const id = randomUUID();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const stopWatching = campaigns.watch((campaign) => {
    if (campaign.id === id && campaign.state === 'done') {
      resolve();
    }
  });
  const imported = await campaigns.importRecipients({
    workspaceId,
    userId,
    id,
    source: { kind: 'file', id: 'F0BENCH', name: 'customers.csv', open: () => csvOf(1_000) },
    form: { text: 'Your order is on its way.', route: 'dnd', senderId: 'PalmMarket' },
  });
  if (imported.kind !== 'ready') {
    throw new Error(`The campaign is ${imported.kind}.`);
  }
  await campaigns.start(await asSeen(campaigns, { workspaceId, userId, id }));
  await ended;
  stopWatching();
}

function requireAccepted(result: { kind: string; operation?: { state: string } | undefined }): void {
  if (result.operation?.state !== 'accepted') {
    throw new Error(`It was not accepted: ${JSON.stringify(result)}`);
  }
}
