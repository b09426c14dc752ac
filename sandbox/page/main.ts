import { AppShell } from './shell/app-shell.ts';
import { backend } from './state/backend.ts';
import { PageState } from './state/page-state.ts';

/** The entry point of the page, in the browser. */
const shell = new AppShell();
shell.pageState = new PageState(backend);
document.body.append(shell);
shell.pageState.start();
