import type { Files } from '../client/files.ts';
import type { FindMissingGrant } from '../client/granted-scopes.ts';
import type { SlackContext } from '../client/slack-context.ts';
import type { Navigation } from '../navigation/navigation.ts';
import type { OutcomeRenderers } from '../notifier/outcome.ts';
import type { OutcomeNotifier } from '../notifier/outcome-notifier.ts';
import type { Posts } from '../notifier/posts.ts';

/** What every feature is given. */
export interface AppContext extends SlackContext {
  notifier: OutcomeNotifier;
  posts: Posts;
  outcomeRenderers: OutcomeRenderers;
  navigation: Navigation;
  files: Files;
  missingGrant: FindMissingGrant;
  /** Aborted when the program stops: long work ends early, with what it has. */
  stopping: AbortSignal;
}
