import type { InputBlock } from '@slack/types';
import { readRoute, routes } from '../../../domain/messages/routes.ts';
import { input, option } from '../build.ts';

const options = Object.entries(routes).map(([value, { title, meaning }]) => option(title, value, meaning));

/** The routes of a message, with what the chosen one means. A change updates the form: its fields follow the route. */
export function routeInput(blockId: string, actionId: string, chosen: string | undefined): InputBlock {
  const initial = options.find(({ value }) => value === chosen);
  const route = readRoute(chosen);
  return input(
    blockId,
    'Route',
    {
      type: 'static_select',
      action_id: actionId,
      options,
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
    { dispatch: true, ...(route === undefined ? {} : { hint: routes[route].meaning }) },
  );
}
