import assert from 'node:assert/strict';
import type { TestWorkspace } from '../app/test-workspace.ts';
import { scan } from '../qr-scanner.ts';
import { type SlackUser, wordsOf } from './slack-user.ts';

/** Searches the local plans of a country. The smallest comes first. */
export async function findLocalPlans(user: SlackUser, country: string): Promise<string> {
  await user.types('/esim', `plans ${country} local`);
  return wordsOf((await user.seesModal('eSIM plans', '2 total')).view);
}

/** Creates an eSIM from the list of plans. Returns its ICCID. */
export async function createEsim({ ada, provider }: TestWorkspace, country = 'Kenya'): Promise<string> {
  await findLocalPlans(ada, country);
  await ada.presses('Create');
  await ada.seesModal('New eSIM');
  await ada.submits();
  await ada.seesModal('eSIM created');
  return provider.account.sims[0]?.iccid ?? assert.fail('no eSIM was created');
}

/** Scans the image of a message, downloaded from Slack. */
export async function scanFile({ slack, ada }: TestWorkspace, channel?: string): Promise<string | undefined> {
  const message = await slack.until(
    () =>
      ada
        .messages()
        .findLast(
          (candidate) => candidate.files?.length && (channel ?? candidate.channel) === candidate.channel,
        ),
    'a message with a file',
  );
  const [file] = message.files ?? [];
  assert.ok(file);
  assert.equal(file.mimeType, 'image/png');
  const response = await fetch(new URL(file.url, slack.url));
  return scan(new Uint8Array(await response.arrayBuffer()));
}

/** Number of requests of an operation that reached the provider. */
export function arrivalsOf({ provider }: TestWorkspace, operation: string): number {
  return provider.arrivals.filter((arrival) => arrival.operation === operation).length;
}
