import { createHash } from 'node:crypto';
import { ClearStateStore, InvalidStateError, type StateStore } from '@slack/oauth';
import type { Secret } from '../../../lib/secret.ts';
import type { ProgramContext } from '../../client/slack-context.ts';

const expiresAfterSeconds = 10 * 60;
/** In characters. */
const maxState = 4_096;

/**
 * Slack's own signed states, by our clock, each good for one installation: the store knows those that were used, on any
 * instance.
 */
export function createStateStore(
  { store: { slackInstallations: installations }, time: { now: clock } }: ProgramContext,
  secret: Secret,
): StateStore {
  const signed = new ClearStateStore(secret.reveal(), expiresAfterSeconds);
  return {
    generateStateParam: (options) => signed.generateStateParam(options, clock()),

    async verifyStateParam(_now, state) {
      if (state.length > maxState) {
        throw new InvalidStateError('The state is too long');
      }
      const options = await signed.verifyStateParam(clock(), state);
      const name = createHash('sha256').update(state).digest('base64');
      const now = clock().getTime();
      if (!(await installations.useState(name, { now, expires: now + expiresAfterSeconds * 1_000 }))) {
        throw new InvalidStateError('The state was used already');
      }
      return options;
    },
  };
}
