import type { SlackInstallations } from '../../../store/slack-installations/slack-installations.ts';

/** Reads the ids of all owners, some at a time. */
export async function* allOwners({ owners }: Pick<SlackInstallations, 'owners'>): AsyncGenerator<string> {
  let last: string | undefined;
  do {
    const page = await owners(last);
    yield* page;
    last = page.at(-1);
  } while (last !== undefined);
}
