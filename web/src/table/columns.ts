import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { repeat } from "lit/directives/repeat.js";
import type { Column, EngineError, Note, Table } from "../engine/protocol.js";
import { planFor, type Loaded } from "../file/loaded.js";
import { options, pick } from "../panel/inputs.js";
import { painted, Panel, prop, scrolling } from "../panel/panel.js";
import type { Spec } from "../state/spec.js";
import { missing, settings } from "../state/settings-strings.js";
import { cellIn } from "../text/days.js";
import { count, number, percent } from "../text/format.js";
import { answersTo } from "./asks.js";
import { canWeigh, isGuess, isLost, keptFrom, kindsOf, leftOut, mayWeigh, oddities, ownKind, rolesOf, withKind, withRole, withRoles, type Kind, type Role } from "./roles.js";
import { roles as strings, run } from "./strings.js";

const COLUMNS = 40; // at first, and more at each request
const AT_ONCE = 10; // in one frame: browsers take long to lay out their choices

interface Row {
  readonly table: Table;
  readonly roles: readonly Role[]; // of all columns
  readonly column: Column;
  readonly at: number;
  readonly role: Role;
  readonly kind: Kind;
  readonly own: Pick<Column, "kind" | "reason">;
  readonly error: EngineError | null;
  readonly oddities: readonly Note[];
}

/** What each column is used as, and where there is something to know, why. */
class Columns extends Panel {
  @prop accessor spec!: Spec;
  @prop accessor loaded!: Loaded;
  @state() private accessor shown: number = COLUMNS; // columns
  @state() private accessor drawn: number = AT_ONCE; // of them so far
  @state() private accessor selected: ReadonlySet<string> = new Set();

  private last = -1; // the column that was selected last, where a range begins

  protected override willUpdate(changed: PropertyValues<Columns>): void {
    if (changed.has("loaded") && changed.get("loaded")?.table !== this.loaded.table) Object.assign(this, { drawn: AT_ONCE, last: -1, selected: new Set() });
  }

  protected override updated(): void {
    const { drawn } = this;
    if (drawn >= Math.min(this.shown, this.loaded.table?.columns.length ?? 0)) return;
    void painted().then(() => {
      if (drawn === this.drawn) this.drawn += AT_ONCE; // once what is there has been laid out
    });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { spec, loaded } = this;
    const { table, planError: error } = loaded;
    if (!table) return nothing;
    const roles = rolesOf(table, spec, loaded);
    const kinds = kindsOf(table, spec, loaded);
    const plan = planFor(loaded, spec);
    const odd = plan ? oddities(plan) : [];
    const rows = table.columns.slice(0, Math.min(this.shown, this.drawn)).map((column, at): Row => ({
      table,
      roles,
      column,
      at,
      role: roles[at] ?? "feature",
      kind: kinds[at] ?? column.kind,
      own: ownKind(column, at, spec, loaded),
      error: error?.field === column.name ? error : null,
      oddities: odd.filter(({ columns }) => columns.includes(column.name)),
    }));
    const more = Math.min(COLUMNS, table.columns.length - this.shown);
    const elsewhere = error && !table.columns.some((column) => column.name === error.field);
    const head = html`<thead role="rowgroup"><tr role="row">${Object.values(strings.columns).map((name) => html`<th scope="col" role="columnheader">${name}</th>`)}</tr></thead>`;
    return html`<section class="roles" id="roles" tabindex="-1">
      <div class="row many" role="status">${this.many(table, roles)}</div>
      ${scrolling(strings.scroll, html`<table class="numbers" role="table">${head} ${keyed(table.name, this.all(rows))}</table>`)}
      ${more > 0 ? html`<button @click=${() => (this.shown += COLUMNS)}>${strings.more(more)}</button>` : nothing}
      ${elsewhere ? html`<div class="error" role="alert" data-error="plan"><p class="what"><b>${run.error}</b> ${error.message}</p></div>` : nothing}
      ${pick(settings.missing ?? "", ["flag", "drop"], spec.missing, (option) => missing[option], (missing) => this.tell("ifm-spec", { missing }), "missing")}
    </section>`;
  }

  /** Rows keep their elements, so that the focus stays. lit-html 3.3.3 leaves a comment where one was; they go with the file. */
  private all(rows: readonly Row[]): TemplateResult {
    return html`${repeat(rows, ({ column }) => column.name, (row) => this.column(row))}`;
  }

  /** What to do with the columns that are selected. */
  private many(table: Table, roles: readonly Role[]): TemplateResult {
    const names = new Set(table.columns.filter(({ name }, at) => this.selected.has(name) && roles[at] !== "target").map(({ name }) => name));
    const usable = table.columns.filter((column, at) => roles[at] !== "target" && !isLost(table, roles, column)).map(({ name }) => name);
    const more = html`<button class="select-all" ?disabled=${names.size === usable.length} @click=${() => (this.selected = new Set(usable))}>${strings.selectAll}</button>`;
    if (names.size === 0) return html`<span class="note">${strings.selectHelp}</span> ${more}`;
    const all = (role: "feature" | "ignore"): void => this.tell("ifm-spec", withRoles(table, this.spec, roles, names, role));
    return html`<b>${strings.selected(names.size)}</b> <button data-all="feature" @click=${() => all("feature")}>${strings.useAll}</button> <button data-all="ignore" @click=${() => all("ignore")}>${strings.ignoreAll}</button> ${more} <button class="bare" @click=${() => (this.selected = new Set())}>${strings.unselect}</button>`;
  }

  /** Selects a column, or with the shift key all from the last one to it. */
  private select({ table, roles, at }: Row, event: MouseEvent): void {
    const { checked } = event.target as HTMLInputElement;
    const from = event.shiftKey && this.last >= 0 ? this.last : at;
    const range = table.columns.slice(Math.min(from, at), Math.max(from, at) + 1).filter((column) => column !== table.columns[roles.indexOf("target")] && !isLost(table, roles, column));
    const selected = new Set(this.selected);
    for (const { name } of range) {
      if (checked) selected.add(name);
      else selected.delete(name);
    }
    Object.assign(this, { selected, last: at });
  }

  private set({ table, roles, at }: Row, role: Role): void {
    this.tell("ifm-spec", withRole(table, this.spec, roles, at, role, this.loaded.plan));
  }

  private read({ column, own }: Row, kind: Kind): void {
    this.tell("ifm-spec", withKind(this.spec, column.name, kind, own.kind));
  }

  private column(row: Row): TemplateResult {
    const { table, roles, column, at, role, kind, error } = row;
    const { name, mean, min, max, levels, distinct, distinctExact } = column;
    const id = `role-error-${at}`;
    const names = strings.columns;
    const isDays = table.columns.some(({ name: dates, parts }) => parts.includes(name) && name.startsWith(`${dates} (days)`));
    const why = this.why(row);
    const cannot = { feature: isLost(table, roles, column), target: column.kind === "sparse", weight: !canWeigh(column), ignore: false };
    const option = (option: Role): TemplateResult => html`<option value=${option} .selected=${option === role} ?disabled=${cannot[option]}>${strings.role[option]}</option>`;
    return html`<tbody role="rowgroup" class="column role-${role} ${error ? "bad" : ""}" data-column=${name}>
      <tr role="row">
        <th scope="rowgroup" role="rowheader" title=${name}><input type="checkbox" aria-label=${strings.select(name)} ?disabled=${role === "target" || cannot.feature} .checked=${this.selected.has(name) && role !== "target"} @click=${(event: MouseEvent) => this.select(row, event)} />${name}</th>
        <td role="cell">
          <select class="role" aria-label=${strings.roleOf(name)} aria-invalid=${error ? "true" : "false"} aria-describedby=${error ? id : nothing} @change=${(e: Event) => this.set(row, (e.target as HTMLSelectElement).value as Role)}>${(["target", "feature", "weight", "ignore"] as const).map(option)}</select>
        </td>
        <td role="cell">
          ${column.kind === "sparse" ? strings.kind.sparse : html`<select class="kind" aria-label=${strings.kindOf(name)} @change=${(e: Event) => this.read(row, (e.target as HTMLSelectElement).value as Kind)}>${options<Kind>(["numeric", "categorical"], kind, (kind) => strings.kind[kind])}</select>`}
        </td>
        <td role="cell" data-label=${names.missing}>${column.missing > 0 ? percent(column.missing / column.cells) : "0"}${column.unreadable > 0 ? html`<small>${strings.unreadable(column.unreadable)}</small>` : nothing}</td>
        <td role="cell" class="values" data-label=${names.values} title=${distinctExact ? count(distinct) : nothing}>${Number.isNaN(mean) ? (column.kind === "sparse" ? nothing : strings.levels(levels, distinct, distinctExact)) : strings.range(cellIn(isDays, min), cellIn(isDays, max), cellIn(isDays, mean, number))}</td>
      </tr>
      ${why === nothing && !error ? nothing : html`<tr role="row" class="why"><td role="cell" colspan="5">${why}${error ? html`<div class="error" role="alert" id=${id} data-error="plan">${error.message}</div>` : nothing}</td></tr>`}
    </tbody>`;
  }

  /** Why a column is not simply a feature of its kind, what is odd about it and what reading decided, each with the press that overrules it; nothing where there is none of this. */
  private why(row: Row): TemplateResult | typeof nothing {
    const { spec, loaded } = this;
    const { table, roles, column, at, role, kind, own, oddities } = row;
    const { name, guess, notes } = column;
    const out = leftOut(table, spec, at, loaded);
    const from = role === "feature" ? keptFrom(table, spec, column, loaded) : "";
    const guessed = out !== "" || (isGuess({ guess, kind: own.kind }, role, kind) && from === "");
    const usable = !isLost(table, roles, column) && (out !== "" || column.distinct > 1 || !column.distinctExact);
    const cast = guessed || column.kind === "sparse" || kind === own.kind || role === "ignore" ? "" : kind === "numeric" ? strings.asNumber : strings.asCategory;
    const back = (): void => {
      const change = withRole(table, spec, roles, at, guess, loaded.plan);
      this.tell("ifm-spec", { ...change, ...withKind({ ...spec, ...change }, name, own.kind, own.kind) });
    };
    const other = guessed && role === "feature" && !Number.isNaN(column.mean) && (kind === "categorical" || own !== column) ? ({ categorical: "numeric", numeric: "categorical", sparse: "sparse" } as const)[kind] : kind;
    const weighs = role === "feature" && mayWeigh(column) && !roles.includes("weight");
    const isPlain = guessed && role === "feature" && other === kind && !weighs && column.kind !== "sparse";
    if (isPlain && oddities.length === 0 && notes.length === 0) return nothing;
    const because = out !== "" ? strings.because(out, role) : from !== "" ? strings.kept(name, from) : guessed ? strings.because(own.reason, role) : strings.chosen(guess, own.kind, own.reason);
    return html`${isPlain
        ? nothing
        : html`<p class="because">
            <span>${because}</span>
            ${cast === "" ? nothing : html`<span class="cast">${cast}</span>`}
            ${guessed && role === "ignore" && usable ? html`<button aria-label=${strings.useIt(name)} @click=${() => this.set(row, "feature")}>${strings.use}</button>` : nothing}
            ${weighs ? html`<button data-weigh aria-label=${strings.weighBy(name)} @click=${() => this.set(row, "weight")}>${strings.weigh}</button>` : nothing}
            ${other === kind ? nothing : html`<button aria-label=${strings.readAsOf(name, other)} @click=${() => this.read(row, other)}>${strings.readAs[other]}</button>`}
            ${guessed ? nothing : html`<button aria-label=${strings.asGuessedOf(name)} @click=${back}>${strings.asGuessed}</button>`}
          </p>`}
      ${oddities.map((note) => html`<p class="finding" data-finding=${note.topic}><span>${strings.odd(note)}</span> ${role === "feature" ? html`<button aria-label=${strings.ignoreIt(name)} @click=${() => this.set(row, "ignore")}>${strings.ignore}</button>` : nothing}</p>`)}
      ${notes.map((note) => answersTo(name, note, spec, (change) => this.tell("ifm-spec", change)))}`;
  }
}

customElements.define("ifm-roles", Columns);
