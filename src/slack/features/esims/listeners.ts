import { firstPosition } from '../../block-kit/paging/page-position.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { errorMessage } from '../../middleware/errors.ts';
import { notConnectedMessage } from '../../middleware/not-connected.ts';
import type { CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { findMeantSubcommand, unknownSubcommand } from '../../middleware/unknown-subcommand.ts';
import { createEsimBrowser } from './browse.ts';
import { registerEsimBrowsing } from './browse-listeners.ts';
import { esimHelp, esimRule, readEsimCommand } from './command.ts';
import { registerEsimOrders } from './order-listeners.ts';
import { requirePurchases } from './purchases.ts';

/** Other words name a country, or a type of plan. */
const subcommands = ['plans …', 'create …', 'top-up …', 'list', 'countries …', 'help'];

/** `/esim`: the lists of plans, eSIMs and countries, and orders. */
export function registerEsims(router: Router, context: AppContext): void {
  const {
    services,
    settings: { commandPrefix },
  } = context;
  const { workspaces } = services;
  const browser = createEsimBrowser(services);

  async function handle(call: CommandRequest): Promise<void> {
    const { user, open } = call;
    if ((await workspaces.connection(user.workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(user, commandPrefix));
      return;
    }
    const command = readEsimCommand(call.text);
    if (command.kind === 'plans' && command.use.intent !== 'any') {
      await requirePurchases(services, user.workspaceId, commandPrefix);
    }
    switch (command.kind) {
      case 'plans':
        return command.use.intent === 'top_up' && command.use.iccid !== undefined
          ? browser.showTopUps(open, user, command.use.iccid)
          : browser.showPlans(open, user, { ...command, position: firstPosition });
      case 'list':
        return browser.showList(open, user.workspaceId, firstPosition);
      case 'countries':
        return browser.showCountries(open, user.workspaceId, {
          text: command.text,
          position: firstPosition,
        });
      case 'unknown':
        await call.reply(
          findMeantSubcommand(call.text, subcommands) === undefined
            ? errorMessage(mrkdwn`${command.problem} For help, type \`/${commandPrefix}esim help\`.`)
            : unknownSubcommand(`/${commandPrefix}esim`, call.text, subcommands),
        );
    }
  }

  router.command('esim', esimRule, handle, () => esimHelp(commandPrefix));
  registerEsimBrowsing(router, context, browser);
  registerEsimOrders(router, context);
}
