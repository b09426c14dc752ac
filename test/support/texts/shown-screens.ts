import { isJsonObject, type JsonObject, stringAt, toJson } from '../../../sandbox/lib/json.ts';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';
import { commands } from '../../../src/slack/app/manifest.ts';
import { startTestApp } from '../app/test-app.ts';
import { formSettings, showForms } from '../forms/form-setup.ts';
import { contentOf } from '../slack/screen-texts.ts';
import { wordsOf } from '../slack/slack-user.ts';
import { shapeOf } from './distinct-lines.ts';
import { optionsIn, screenLines } from './screen-lines.ts';

/** The lines of each screen, by its name. */
export type ShownScreens = ReadonlyMap<string, readonly string[]>;

/**
 * Has an admin open every screen that a button or a command leads to, and returns what the app has shown in Slack and in a
 * browser, with the app.
 */
export async function showScreens(test: Parameters<typeof startTestApp>[0], most: number) {
  const exchanges: LoggedRequest[] = [];
  const onExchange = (exchange: LoggedRequest) => void exchanges.push(exchange);
  const testApp = await startTestApp(test, { ...formSettings, onExchange });
  await showForms(testApp, most);
  for (const { name } of commands) {
    await testApp.grace.types(`/${name}`, 'help');
  }
  await testApp.app().settled();
  const screens = new Map([...screensIn(exchanges), ...(await webPages(testApp.url()))]);
  return { screens, app: testApp.app() };
}

/** The public pages of the web server, and the page for an unknown path. */
function webPages(url: string): Promise<[name: string, lines: string[]][]> {
  return Promise.all(
    ['/', '/privacy', '/support', '/missing'].map(async (path) => {
      const html = await (await fetch(`${url}${path}`)).text();
      const lines = html
        .replaceAll(/<(style|svg)\b[\s\S]*?<\/\1>/g, '')
        .replaceAll(/\s+/g, ' ')
        .split(/<\/?(?:title|h\d|p|li|dt|dd|div|section|main|header|footer|nav|th|td|tr)\b[^>]*>/)
        .map((text) => text.replaceAll(/<[^>]*>/g, '').trim());
      return [`page ${path}`, lines.filter((line) => line !== '')];
    }),
  );
}

/**
 * Returns what the app has shown in these exchanges with Slack. A view goes by its callback id, and one that only says
 * something by its title as well.
 */
function screensIn(exchanges: readonly LoggedRequest[]): ShownScreens {
  const screens = new Map<string, string[]>();
  const add = (name: string, lines: readonly string[]) => {
    if (lines.length > 0) {
      screens.set(name, [...(screens.get(name) ?? []), ...lines]);
    }
  };
  for (const exchange of exchanges) {
    const { errors, text, ...sent } = contentOf(exchange);
    const content = toJson(sent);
    if (!isJsonObject(content)) {
      continue;
    }
    const { view, blocks } = content;
    if (isJsonObject(view)) {
      add(nameOf(view), screenLines(view));
    }
    if (blocks !== undefined || text !== undefined) {
      const lines = screenLines({ text: text ?? '', ...(blocks !== undefined && { blocks }) });
      add(`message: ${shapeOf(lines[0] ?? '')}`, lines);
    }
    add('errors beside fields', Object.values(errors ?? {}));
    add(
      'results of searches in a field',
      optionsIn(content).map((option) => wordsOf(option.text)),
    );
  }
  return screens;
}

function nameOf(view: JsonObject): string {
  const callback = stringAt(view, 'callback_id');
  return callback === 'notice' ? `notice: ${wordsOf(view.title)}` : (callback ?? 'home');
}
