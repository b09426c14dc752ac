import type { SlackSandbox } from '../../../sandbox/slack/server.ts';
import { slackUserAt } from '../../support/slack/slack-user.ts';

/** Milliseconds to wait for something to appear. */
const waitTimeoutMs = 4_000;

/** Generates unique values. */
export interface Fresh {
  /** Numbers of a network without quiet hours, and on no list. */
  numbers(count: number): string[];
  /** Another one, also once it is masked. */
  number(): string;
  campaignName(): string;
}

/** A user who performs one task after another until stopped. */
export interface SimulatedUser {
  /** Resolves when the current task has ended after the signal. */
  work(ending: AbortSignal): Promise<void>;
  figures(): { tasks: number; brokenOff: number };
}

export function createSimulatedUser(
  slack: SlackSandbox,
  { id, channel, fresh, random }: { id: string; channel: string; fresh: Fresh; random: () => number },
): SimulatedUser {
  const person = slackUserAt(slack, id, { patience: waitTimeoutMs });
  let tasks = 0;
  let brokenOff = 0;

  async function fillIn(to: string): Promise<void> {
    await person.types('/sms', '', channel);
    await person.seesModal('New message');
    await person.fills('To', to);
    await person.fills('Route', 'Transactional (DND)');
    await person.fills('Sender ID', 'PalmMarket');
    await person.fills('Message', 'Your order is on its way');
  }

  async function sendFromForm(): Promise<void> {
    await person.submits();
    await person.seesModal('Message review');
    await person.submits();
    await person.seesModal('Message sent');
  }

  const journeys: readonly { weight: number; go: () => Promise<unknown> }[] = [
    {
      weight: 4,
      async go() {
        const to = fresh.number();
        await person.types('/sms', `${to} Your order is on its way`, channel);
        await person.presses('Send');
      },
    },
    {
      weight: 2,
      async go() {
        const to = fresh.number();
        await fillIn(to);
        await sendFromForm();
      },
    },
    {
      weight: 4,
      async go() {
        const to = fresh.number();
        await fillIn(to);
        await person.fills('Who sees the result', 'In a channel');
        await person.fills('Channel', channel);
        await sendFromForm();
      },
    },
    {
      weight: 1,
      async go() {
        const inChannel = random() < 0.5;
        await person.types('/sms', 'bulk', channel);
        await person.seesModal('New campaign');
        await person.fills('To', 'Paste numbers');
        await person.fills('Phone numbers', fresh.numbers(120).join(' '));
        await person.fills('Route', 'Transactional (DND)');
        await person.fills('Sender ID', 'PalmMarket');
        await person.fills('Message', 'Our shop opens at nine');
        await person.fills('Name', fresh.campaignName());
        await person.submits();
        await person.seesModal('Campaign review');
        if (inChannel) {
          await person.fills('Post progress to', 'A channel');
          await person.fills('Channel', channel);
        }
        await person.submits();
      },
    },
    { weight: 1, go: () => person.types('/sms', 'help', channel) },
    { weight: 1, go: () => person.types('/sms', 'history', channel) },
    { weight: 1, go: () => person.types('/number', '+2348031234567', channel) },
    { weight: 1, go: () => person.types('/dnd-check', '+2348031234567 +2348051234567', channel) },
    { weight: 1, go: () => slack.perform({ do: 'home', person: id }) },
  ];
  const allWeights = journeys.reduce((sum, { weight }) => sum + weight, 0);

  function pick() {
    let left = random() * allWeights;
    return journeys.find(({ weight }) => {
      left -= weight;
      return left < 0;
    });
  }

  async function closeModals(): Promise<void> {
    const viewId = person.modal()?.id;
    if (viewId !== undefined) {
      await slack.perform({ do: 'close', person: id, viewId, all: true });
    }
  }

  return {
    async work(ending) {
      while (!ending.aborted) {
        tasks += 1;
        try {
          await pick()?.go();
        } catch {
          // A task cannot be completed where Slack fails.
          brokenOff += 1;
        }
        await closeModals();
      }
    },
    figures: () => ({ tasks, brokenOff }),
  };
}
