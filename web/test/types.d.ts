/** Names of Playwright and of Node that every file of tests uses. */
type Page = import("playwright-core").Page;
type Locator = import("playwright-core").Locator;
type Frame = import("playwright-core").Frame;
type TestContext = import("node:test").TestContext;
