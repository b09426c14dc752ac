import { countryNamed } from '../../../domain/phone/country-names.ts';
import { countryOptions } from '../../block-kit/inputs/country-search.ts';
import {
  firstPosition,
  type PagePosition,
  pagePositionSchema,
} from '../../block-kit/paging/page-position.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { notConnectedMessage } from '../../middleware/authorization/not-connected-message.ts';
import { errorMessage } from '../../middleware/errors.ts';
import { replaceModal, type ShowModal } from '../../middleware/open-modal.ts';
import type { ActionRequest, CommandRequest, Router, User } from '../../middleware/requests.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { esimActions } from './actions.ts';
import { esimHelp, readEsimCommand } from './command.ts';
import {
  countriesCallback,
  countriesView,
  readCountryQuery,
  searchCountriesAction,
  turnCountries,
} from './countries-view.ts';
import { esimListView, loadingEsims, turnEsims } from './list-view.ts';
import {
  filterOf,
  planCountryAction,
  plansCallback,
  plansView,
  planTypeAction,
  readQuestion,
  turnPlans,
} from './plans-view.ts';
import { plansShower } from './show-plans.ts';

interface CountryQuestion {
  query: string;
  position: PagePosition;
}

/** `/esim`: what there is to look at and to search. */
export function registerEsimBrowsing(router: Router, { services, commandPrefix }: AppContext): void {
  const { workspaces, esims } = services;

  const showPlans = plansShower(esims);

  async function showList(show: ShowModal, { workspaceId }: User, position: PagePosition): Promise<void> {
    const replace = await show(loadingEsims());
    await replace(esimListView(position, await esims.list(workspaceId, position.page)));
  }

  async function showCountries(
    show: ShowModal,
    { workspaceId }: User,
    question: CountryQuestion,
  ): Promise<void> {
    const replace = await show(countriesView(question, 'loading'));
    await replace(countriesView(question, await esims.countries(workspaceId)));
  }

  async function handle(call: CommandRequest): Promise<void> {
    const { user, open } = call;
    if ((await workspaces.connection(user.workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(user, commandPrefix));
      return;
    }
    const command = readEsimCommand(call.text);
    switch (command.kind) {
      case 'plans':
        return showPlans(open, user, { ...command, position: firstPosition });
      case 'list':
        return showList(open, user, firstPosition);
      case 'countries':
        return showCountries(open, user, { query: command.query, position: firstPosition });
      case 'unknown':
        await call.reply(
          errorMessage(mrkdwn`${command.problem} Type \`/${commandPrefix}esim help\` to see what there is.`),
        );
    }
  }

  router.command('esim', handle, () => esimHelp(commandPrefix));

  router.action(openActions.esimPlans, async (call) => {
    const country = countryNamed(call.value);
    await showPlans(replaceModal(call), call.user, {
      use: { deed: 'any' },
      position: firstPosition,
      ...(country && { country }),
    });
  });
  router.action(esimActions.openList, async (call) => showList(replaceModal(call), call.user, firstPosition));
  router.action(esimActions.openCountries, async (call) =>
    showCountries(replaceModal(call), call.user, { query: '', position: firstPosition }),
  );

  /** Hears the filters of a view, which lead to the start, and its *Previous* and *Next*, which carry where they lead. */
  function onPaging(
    filters: readonly string[],
    turns: { previous: string; next: string },
    show: (call: ActionRequest, position: PagePosition) => Promise<void>,
  ): void {
    for (const actionId of filters) {
      router.action(actionId, (call) => show(call, firstPosition));
    }
    for (const actionId of Object.values(turns)) {
      router.action(actionId, (call) => show(call, pagePositionSchema.parse(JSON.parse(call.value))));
    }
  }

  onPaging([planCountryAction, planTypeAction], turnPlans, async (call, position) => {
    if (call.view !== undefined) {
      const { values, metadata } = call.view;
      await showPlans(replaceModal(call), call.user, readQuestion(values, metadata, position));
    }
  });
  onPaging([], turnEsims, (call, position) => showList(replaceModal(call), call.user, position));
  onPaging([searchCountriesAction], turnCountries, async (call, position) => {
    const query = readCountryQuery(call.view?.values ?? {});
    await showCountries(replaceModal(call), call.user, { query, position });
  });

  router.submission(plansCallback, async ({ user, values, metadata }) => {
    const question = readQuestion(values, metadata, firstPosition);
    return {
      view: plansView(question, 'loading'),
      background: async () => plansView(question, await esims.plans(user.workspaceId, filterOf(question))),
    };
  });

  router.submission(countriesCallback, async ({ user, values }) => {
    const question = { query: readCountryQuery(values), position: firstPosition };
    return {
      view: countriesView(question, 'loading'),
      background: async () => countriesView(question, await esims.countries(user.workspaceId)),
    };
  });

  router.options(planCountryAction, async ({ query }) => countryOptions(query, { withEvery: true }));
}
