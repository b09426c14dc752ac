import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '../src/slack/app/manifest.ts';
import { everyListener } from './support/app/registered-listeners.ts';
import { notShown } from './support/forms/form-setup.ts';
import { declaredBuilders, declaredTitles } from './support/texts/declared-screens.ts';
import { showScreens } from './support/texts/shown-screens.ts';
import { textLines } from './support/texts/text-lines.ts';

/** Modals that are shown for a moment, or in a state that nothing leads to here, with why. */
const titlesNotShown: Readonly<Record<string, string>> = {
  'Signing secret': notShown.report_secret ?? '',
  'Resume campaign': notShown.campaign_runs ?? '',
  'Resume repeating': notShown.campaign_runs ?? '',
  Device: 'the title of campaign_sender where a campaign goes by the chat app',
  'Not called yet': 'a limit was reached, see test/journeys/otp.test.ts',
  Starting: 'until a start that takes more than three seconds is answered',
  Review: 'until the warnings of a review are known',
};

test('the page of all texts has every screen, and the errors, help, tools, web pages and log messages of the source', async (t) => {
  const { screens, app } = await showScreens(t, 1);
  const lines = textLines(screens, 1);
  const headings = new Set(
    lines.filter((line, index) => line.startsWith('### ') && !/^#|^$/.test(lines[index + 1] ?? '')),
  );
  const has = (name: string) => headings.has(`### ${name}`);

  const forms = everyListener(app).flatMap(({ kind, name }) => (kind === 'submission' ? [name] : []));
  assert.ok(forms.length > 40);
  assert.deepEqual(
    forms.filter((id) => !has(id) && notShown[id] === undefined),
    [],
    'forms and lists that are registered, and not on the page',
  );

  const builders = declaredBuilders();
  assert.ok(builders.length > 20);
  assert.deepEqual(
    builders.filter((name) => !has(name)),
    [],
    'views and messages without an example',
  );

  const titles = [...declaredTitles()];
  assert.ok(titles.length > 60);
  assert.deepEqual(
    titles.filter((title) => !lines.includes(`**${title}**`) && titlesNotShown[title] === undefined),
    [],
    'titles of modals that are not on the page',
  );

  assert.deepEqual(
    commands.filter(({ name }) => !lines.some((line) => line.startsWith(`\`/${name}`))),
    [],
    'commands whose help is not on the page',
  );
  for (const text of [
    'This entry is no longer in your history.',
    'Returns the latest known balance',
    'Nothing changes unless you press the button.',
    'Switchboard is ready',
    'First things to try',
    'Switchboard needs Node 24',
  ]) {
    assert.ok(
      lines.some((line) => line.includes(text)),
      text,
    );
  }
});
