import type { TestWorkspace } from '../app/test-workspace.ts';
import { wordsOf } from './slack-user.ts';

/** All of *Alert when*. */
const allWatchers = [
  'The balance is low',
  'The provider is down',
  'Messages on a route fail',
  'A campaign needs someone',
  'A reply has waited over an hour',
  'A sender ID is approved or declined',
  'An eSIM is almost out of data or time',
];

/** Has an admin choose the channel that is told of these, and closes what is open then. */
export async function choosesWatchers(
  { grace, channels }: TestWorkspace,
  {
    kinds = allWatchers,
    channel = channels.support,
    below = '5,000',
    hour,
  }: { kinds?: readonly string[]; channel?: string; below?: string; hour?: string } = {},
): Promise<void> {
  await grace.types('/switchboard');
  await grace.seesModal('Switchboard');
  await grace.presses('Change alerts');
  await grace.seesModal('Alerts');
  await grace.fills('Alerts', ['Post alerts to a channel']);
  await grace.seesModal('Alerts', 'The digest lists');
  await grace.fills('Channel', channel);
  if (kinds !== allWatchers) {
    await grace.fills('Alert when', kinds);
    await grace.seesModal(
      'Alerts',
      kinds.includes('The balance is low') ? 'Balance below' : /^(?![\s\S]*Balance below)/,
    );
  }
  if (hour !== undefined) {
    await grace.fills('Digest at', hour);
  }
  if (kinds.includes('The balance is low')) {
    await grace.fills('Balance below', below);
  }
  await grace.submits();
  await grace.seesModal('Alerts', 'Saved.');
  await grace.closes();
  await grace.closes();
}

/** Has the app look at all that is watched now, and tell what there is to tell. */
export async function looks({ app }: Pick<TestWorkspace, 'app'>): Promise<void> {
  await app().services.watchers.tick(new AbortController().signal);
}

/** The words of the messages of a channel that have these in them. */
export function noticesOf(
  { grace }: Pick<TestWorkspace, 'grace'>,
  words: string | RegExp,
  channel: string,
): string[] {
  return grace
    .messages()
    .filter((each) => each.channel === channel)
    .map(wordsOf)
    .filter((each) => (typeof words === 'string' ? each.includes(words) : words.test(each)));
}
