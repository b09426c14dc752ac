import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Stopwatch } from '../../../lib/clock.ts';
import { withTimeout } from '../../../lib/timeout.ts';

export type Role = 'member' | 'admin';

/** What a person may do, and their time zone (IANA). Closed when in doubt: who cannot be looked up may do nothing. */
export type Authorization = { allowed: true; role: Role; zone: string } | { allowed: false; reason: string };

export interface Authorizer {
  /** What is cached without asking Slack, or undefined. */
  cached(userId: string): Authorization | undefined;
  authorize(userId: string): Promise<Authorization>;
}

const userSchema = z.object({
  team_id: z.string().optional(),
  tz: z.string().refine(isZone).catch('Africa/Lagos'),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  is_admin: z.boolean().optional(),
  is_owner: z.boolean().optional(),
  enterprise_user: z.object({ teams: z.array(z.string()) }).optional(),
});
type SlackUser = z.infer<typeof userSchema>;

/** How long an answer is trusted: a person made a guest or let go is out within this time. */
const trustedFor = 60_000;
/** A command's trigger dies after 3 s: a look-up gets a part of that. */
const patience = 1_500;
const remembered = 10_000;

/** Asks Slack who a person is (Slack: users.info), at most once a minute each, concurrent questions together. */
export function createAuthorizer(options: {
  client: WebClient;
  elapsed: Stopwatch;
  teamId: () => Promise<string>;
}): Authorizer {
  const answers = new Map<string, { standing: Authorization; until: number }>();
  const questions = new Map<string, Promise<Authorization>>();

  async function ask(userId: string): Promise<Authorization> {
    const [{ user }, teamId] = await Promise.all([
      options.client.users.info({ user: userId }),
      options.teamId(),
    ]);
    const standing = judge(userSchema.parse(user), teamId);
    if (answers.size >= remembered) {
      answers.clear();
    }
    answers.set(userId, { standing, until: options.elapsed() + trustedFor });
    return standing;
  }

  function cached(userId: string): Authorization | undefined {
    const answer = answers.get(userId);
    return answer !== undefined && options.elapsed() < answer.until ? answer.standing : undefined;
  }

  return {
    cached,
    async authorize(userId) {
      const answer = cached(userId);
      if (answer !== undefined) {
        return answer;
      }
      let question = questions.get(userId);
      if (question === undefined) {
        question = ask(userId)
          .catch(() => nobody)
          .finally(() => questions.delete(userId));
        questions.set(userId, question);
      }
      return withTimeout(question, patience, () => nobody);
    },
  };
}

const nobody: Authorization = {
  allowed: false,
  reason: 'Slack did not say in time who you are, so nothing was done. Try again in a moment.',
};

function judge(user: SlackUser, teamId: string): Authorization {
  const ofThisTeam = user.team_id === teamId || user.enterprise_user?.teams.includes(teamId) === true;
  if (!ofThisTeam || user.is_stranger) {
    return refuse('Switchboard is for the people of this workspace; you belong to another one.');
  }
  if (user.is_restricted || user.is_ultra_restricted) {
    return refuse('Switchboard is not open to guests. Ask a full member of this workspace.');
  }
  if (user.deleted || user.is_bot) {
    return refuse('Switchboard serves people with an active account only.');
  }
  const role = user.is_admin || user.is_owner ? 'admin' : 'member';
  return { allowed: true, role, zone: user.tz };
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function refuse(why: string): Authorization {
  return { allowed: false, reason: `${why} Nothing was done.` };
}
