/** A person installs the app, from the app's own address to its page afterwards. */
export interface InstallWalk {
  /** The app's address that leads to Slack's authorize page. */
  installUrl: string;
  /** The id of the workspace, or of the enterprise, to install in. */
  workspace?: string;
  enterprise?: string;
  /** The id of the person. */
  person: string;
  /** The scopes that the person leaves ticked. All by default; the page lets optional ones be left out. */
  scopes?: readonly string[];
  /** Presses *Cancel* instead of *Allow*. */
  cancel?: boolean;
}

/** The last page that the person sees. */
export interface PageSeen {
  url: string;
  status: number;
  text: string;
}

const MAX_REDIRECTS = 10;

/** Walks as a browser does, with cookies. Throws when the app does not lead to the authorize page, or Slack refuses it. */
export async function walkInstall(slackUrl: string, walk: InstallWalk): Promise<PageSeen> {
  const browser = createBrowser();
  const asked = await browser.visit(walk.installUrl, (url) => url.startsWith(`${slackUrl}/oauth/`));
  const address = new URL(asked.url);
  if (address.origin !== slackUrl) {
    throw new Error(`${walk.installUrl} leads to ${asked.url} (${asked.status}) instead of Slack.`);
  }
  const place =
    walk.enterprise === undefined ? `workspace:${walk.workspace}` : `enterprise:${walk.enterprise}`;
  address.searchParams.set('place', place);
  const page = await browser.visit(address.href);
  if (page.status !== 200) {
    throw new Error(`Slack’s authorize page answers ${page.status}: ${textOf(page.text)}`);
  }
  const form = new URLSearchParams(address.searchParams);
  form.set('person', walk.person);
  form.set('decision', walk.cancel ? 'cancel' : 'allow');
  for (const scope of (address.searchParams.get('scope') ?? '').split(/[\s,]+/)) {
    if (walk.scopes === undefined || walk.scopes.includes(scope)) {
      form.append('optional', scope);
    }
  }
  const seen = await browser.visit(`${slackUrl}/oauth/v2/authorize`, undefined, form);
  if (seen.url.startsWith(slackUrl)) {
    throw new Error(`Slack’s authorize page refuses: ${textOf(seen.text)}`);
  }
  return seen;
}

/** Creates a browser without scripts: it follows redirects and keeps cookies by host, as browsers do for all its ports. */
function createBrowser() {
  const jar = new Map<string, string>();
  const request = async (url: string, form: URLSearchParams | undefined): Promise<Response> => {
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(';');
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute)) || value === '') {
        jar.delete(name.trim());
      } else {
        jar.set(name.trim(), value);
      }
    }
    return response;
  };
  return {
    /** Follows redirects, up to one of which `stop` says that it is not followed. */
    async visit(
      start: string,
      stop: (url: string) => boolean = () => false,
      form?: URLSearchParams,
    ): Promise<PageSeen> {
      let url = start;
      let response = await request(url, form);
      for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
        const location = response.headers.get('location');
        if (response.status < 300 || response.status >= 400 || location === null) {
          break;
        }
        url = new URL(location, url).href;
        if (stop(url)) {
          await response.body?.cancel();
          return { url, status: response.status, text: '' };
        }
        response = await request(url, undefined);
      }
      return { url, status: response.status, text: await response.text() };
    },
  };
}

function textOf(html: string): string {
  return html
    .replace(/<(style|title)>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
