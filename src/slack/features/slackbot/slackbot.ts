import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { ToolContent } from '../../navigation/navigation.ts';
import { draftTools } from './draft-tools.ts';
import { readTools } from './read-tools.ts';

/** The tools of Slackbot: none sends, buys, deletes or approves anything. */
export function registerSlackbot(router: Router, context: AppContext, parts: ToolContent): void {
  for (const tool of [...readTools(context, parts), ...draftTools(context, parts)]) {
    router.tool(tool);
  }
}
