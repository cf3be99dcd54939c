// SPDX-License-Identifier: GPL-3.0-or-later
// Reads report pages as a validator and as a browser do: node check.mjs CHROMIUM FOLDER. Pages whose
// name starts with "large" are timed and not searched by axe, which would take minutes.
import {readFileSync, readdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

import {HtmlValidate} from 'html-validate';
import puppeteer from 'puppeteer-core';

const kSlowestLoad = 2000; // milliseconds
const kLoads = 5;
const kViews = [
  {name: 'light', width: 1280, theme: 'light'},
  {name: 'dark', width: 1280, theme: 'dark'},
  {name: 'phone', width: 390, theme: 'light'},
];

const [chromium, folder] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pages = readdirSync(folder).filter(name => name.endsWith('.html')).sort();
let problems = 0;

const problem = (page, text) => {
  ++problems;
  console.error(`${page}: ${text}`);
};

const validate = async file => {
  const validator = new HtmlValidate({extends: ['html-validate:recommended']});
  const report = await validator.validateFile(file);
  for (const result of report.results)
    for (const message of result.messages)
      problem(basename(file), `line ${message.line}: ${message.message} (${message.ruleId})`);
};

const open = async (browser, file, view) => {
  const page = await browser.newPage();
  page.on('pageerror', error => problem(basename(file), `script: ${error.message}`));
  page.on('console', message => {
    if (message.type() === 'error') problem(basename(file), `console: ${message.text()}`);
  });
  page.on('request', request => {
    if (request.url() !== pathToFileURL(file).href)
      problem(basename(file), `requests ${request.url()}`);
  });
  await page.setViewport({width: view.width, height: 844});
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: view.theme}]);
  await page.goto(pathToFileURL(file).href, {waitUntil: 'load'});
  return page;
};

const inspect = async (browser, file, view) => {
  const page = await open(browser, file, view);
  const name = `${basename(file)}, ${view.name}`;
  const sideways = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (sideways > 0) problem(name, `scrolls sideways by ${sideways} pixels`);
  // What is not laid out has no contrast that could be measured.
  await page.addStyleTag({content: '.long, .lazy { content-visibility: visible }'});
  await page.evaluate(axe); // the page's own policy does not hold for the tool
  const {violations} = await page.evaluate(() => globalThis.axe.run());
  for (const violation of violations)
    for (const node of violation.nodes.slice(0, 5))
      problem(name, `${violation.id}: ${violation.help} at ${node.target}: ${node.failureSummary}`);
  await page.close();
};

const sortAndFilter = async (browser, file) => {
  const page = await open(browser, file, kViews[0]);
  const found = await page.evaluate(() => {
    const table = document.getElementById('table-operators');
    const heads = Array.from(table.tHead.rows[0].cells);
    const cycles = heads.findIndex(head => head.textContent === 'Cycles');
    const column = Math.max(cycles, 0); // a refused model has none, so by operator
    const values = () => Array.from(table.tBodies[0].rows, row => row.cells[column].textContent)
                             .filter(text => text !== '')
                             .map(text => Number(text.replace(/[^0-9]/g, '')));
    heads[column].querySelector('button').click();
    const upward = values();
    const state = heads[column].getAttribute('aria-sort');
    heads[column].querySelector('button').click();
    const input = document.getElementById('table-operators-filter');
    if (input) {
      input.value = 'op/1';
      input.dispatchEvent(new Event('input'));
    }
    const shown = Array.from(table.tBodies[0].rows).filter(row => !row.hidden);
    return {upward, downward: values(), state, hasFilter: input !== null,
            isFiltered: shown.every(row => row.textContent.includes('op/1'))};
  });
  const sorted = [...found.upward].sort((a, b) => a - b);
  const name = basename(file);
  if (found.state !== 'ascending') problem(name, 'sorting does not say its direction');
  if (String(found.upward) !== String(sorted)) problem(name, 'sorting is wrong');
  if (String(found.downward) !== String(sorted.reverse())) problem(name, 'sorting back is wrong');
  if (found.hasFilter && !found.isFiltered) problem(name, 'the filter shows other rows');
  await page.close();
};

// The fastest of some loads: other work of the machine only makes one slower.
const time = async (browser, file) => {
  let best = Infinity;
  for (let load = 0; load < kLoads; ++load) {
    const start = performance.now();
    const page = await open(browser, file, kViews[0]);
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))));
    best = Math.min(best, Math.round(performance.now() - start));
    await page.close();
  }
  console.log(`${basename(file)}: opens in ${best} ms`);
  if (best > kSlowestLoad) problem(basename(file), `opens in more than ${kSlowestLoad} ms`);
};

const browser = await puppeteer.launch({executablePath: chromium, args: ['--no-sandbox']});
for (const name of pages) {
  const file = resolve(join(folder, name));
  if (name.startsWith('large')) {
    await time(browser, file);
    continue;
  }
  await validate(file);
  for (const view of kViews) await inspect(browser, file, view);
  await sortAndFilter(browser, file);
}
await browser.close();
console.log(`${pages.length} pages, ${problems} problems`);
process.exitCode = problems > 0 || pages.length === 0 ? 1 : 0;
