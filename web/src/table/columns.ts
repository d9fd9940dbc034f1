import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { repeat } from "lit/directives/repeat.js";
import type { Column, EngineError, Plan, Table } from "../engine/protocol.js";
import type { Loaded } from "../file/loaded.js";
import { canWeigh, isGuess, isLost, keptFrom, kindsOf, leftOut, mayWeigh, ownKind, rolesOf, withKind, withRole, type Kind, type Role } from "../file/roles.js";
import { painted, Panel } from "../panel/panel.js";
import type { Spec } from "../state/spec.js";
import { missing, settings } from "../state/strings.js";
import { cell, count, percent } from "../text/format.js";
import { decided } from "./answers.js";
import { plan as planStrings, roles as strings } from "./strings.js";

const COLUMNS = 40; // at first, and more at each request
const AT_ONCE = 10; // of them in one frame: their choices take a browser long to lay out

/** A column and all that is known of it. */
interface Row {
  readonly column: Column;
  readonly at: number;
  readonly role: Role;
  readonly kind: Kind;
  readonly error: EngineError | null;
  readonly findings: Plan["findings"];
}

/** What each column is for, why, and what reading has made of it: a press overrules each. */
class Columns extends Panel {
  @property({ attribute: false }) accessor spec!: Spec;
  @property({ attribute: false }) accessor loaded!: Loaded;
  @state() private accessor shown: number = COLUMNS; // columns
  @state() private accessor drawn: number = AT_ONCE; // of them so far

  protected override willUpdate(changed: PropertyValues<Columns>): void {
    if (changed.has("loaded") && changed.get("loaded")?.table !== this.loaded.table) this.drawn = AT_ONCE;
  }

  protected override updated(): void {
    const drawn = this.drawn;
    if (drawn >= Math.min(this.shown, this.loaded.table?.columns.length ?? 0)) return;
    const goOn = (): void => {
      if (drawn === this.drawn) this.drawn += AT_ONCE;
    };
    void painted().then(goOn); // once what is there has been laid out
  }

  protected override render(): TemplateResult | typeof nothing {
    const { table, plan, planned, planError: error } = this.loaded;
    if (!table) return nothing;
    const roles = rolesOf(table, this.spec, this.loaded);
    const kinds = kindsOf(table, this.spec, this.loaded);
    const findings = planned === this.spec ? (plan?.findings ?? []) : [];
    const rows = table.columns.slice(0, Math.min(this.shown, this.drawn)).map((column, at): Row => ({
      column,
      at,
      role: roles[at] ?? "feature",
      kind: kinds[at] ?? column.kind,
      error: error?.field === column.name ? error : null,
      findings: findings.filter(({ columns }) => columns.includes(column.name)),
    }));
    const more = table.columns.length - Math.min(this.shown, table.columns.length);
    const elsewhere = error && !table.columns.some((column) => column.name === error.field);
    const names = strings.columns;
    return html`<section class="roles" aria-labelledby="roles">
      <h3 id="roles" tabindex="-1">${strings.title}</h3>
      <div class="scroll" tabindex="0" role="region" aria-label=${strings.scroll}>
        <table class="numbers" role="table">
          <thead role="rowgroup">
            <tr role="row">
              ${[names.name, names.role, names.kind, names.missing, names.distinct, names.mean, names.sd, names.min, names.max].map((name) => html`<th scope="col" role="columnheader">${name}</th>`)}
            </tr>
          </thead>
          ${keyed(table.name, this.all(rows, table, roles))}
        </table>
      </div>
      ${more > 0 ? html`<button @click=${() => (this.shown += COLUMNS)}>${strings.more(Math.min(more, COLUMNS))}</button>` : nothing}
      ${elsewhere ? html`<div class="error" role="alert" data-error="plan"><p class="what"><b>${planStrings.error}.</b> ${error.message}</p></div>` : nothing}
      <div class="options">
        <label class="pick">
          <span>${settings.missing}</span>
          <select name="missing" @change=${(e: Event) => this.tell("ifm-spec", { missing: (e.target as HTMLSelectElement).value as Spec["missing"] })}>
            ${(["flag", "drop"] as const).map((option) => html`<option value=${option} .selected=${option === this.spec.missing}>${missing[option]}</option>`)}
          </select>
        </label>
      </div>
    </section>`;
  }

  /** All rows, each with a column for as long as that is there, so that the focus stays with it. lit-html 3.3.3 leaves a comment where one was; they go with the file. */
  private all(rows: readonly Row[], table: Table, roles: readonly Role[]): TemplateResult {
    return html`${repeat(
      rows,
      ({ column }) => column.name,
      (row) => this.column(row, table, roles),
    )}`;
  }

  private column(row: Row, table: Table, roles: readonly Role[]): TemplateResult {
    const { column, at, role, kind, error } = row;
    const id = `role-error-${at}`;
    const names = strings.columns;
    const numbers = [
      [names.mean, column.mean],
      [names.sd, column.sd],
      [names.min, column.min],
      [names.max, column.max],
    ] as const;
    return html`<tbody role="rowgroup" class="column role-${role} ${error ? "bad" : ""}" data-column=${column.name}>
      <tr role="row">
        <th scope="rowgroup" role="rowheader" rowspan="2" title=${column.name}>${column.name}</th>
        <td role="cell">
          <select class="role" aria-label=${strings.roleOf(column.name)} aria-invalid=${error ? "true" : "false"} aria-describedby=${error ? id : nothing} @change=${(e: Event) => this.tell("ifm-spec", withRole(table, this.spec, roles, at, (e.target as HTMLSelectElement).value as Role, this.loaded.plan))}>
            ${(["target", "feature", "weight", "ignore"] as const).map((option) => html`<option value=${option} .selected=${option === role} ?disabled=${(option === "feature" && isLost(table, roles, column)) || (option === "target" && column.kind === "sparse") || (option === "weight" && !canWeigh(column))}>${strings.role[option]}</option>`)}
          </select>
        </td>
        <td role="cell">
          ${column.kind === "sparse" ? strings.kind.sparse : html`<select class="kind" aria-label=${strings.kindOf(column.name)} @change=${(e: Event) => this.tell("ifm-spec", withKind(this.spec, column.name, (e.target as HTMLSelectElement).value as Kind, ownKind(column, at, this.spec, this.loaded).kind))}>
            ${(["numeric", "categorical"] as const).map((option) => html`<option value=${option} .selected=${option === kind}>${strings.kind[option]}</option>`)}
          </select>`}
        </td>
        <td role="cell" data-label=${names.missing}>${column.missing > 0 ? percent(column.missing / Math.max(1, table.rows)) : "0"}${column.unreadable > 0 ? html`<small>${strings.unreadable(column.unreadable)}</small>` : nothing}</td>
        <td role="cell" data-label=${names.distinct}>${column.distinctExact ? count(column.distinct) : strings.atLeast(column.distinct)}</td>
        ${Number.isNaN(column.mean) ? html`<td role="cell" colspan="4" class="levels">${column.kind === "sparse" ? nothing : (column.distinct > column.levels.length ? strings.levelsAndMore : strings.levels)(column.levels)}</td>` : numbers.map(([name, value]) => html`<td role="cell" class="of-numbers" data-label=${name}>${cell(value)}</td>`)}
      </tr>
      <tr role="row" class="why"><td role="cell" colspan="8">${this.why(row, table, roles)}${error ? html`<div class="error" role="alert" id=${id} data-error="plan">${error.message}</div>` : nothing}</td></tr>
    </tbody>`;
  }

  /** Why a column is taken so, what was found and decided, each with the press that overrules it. */
  private why(row: Row, table: Table, roles: readonly Role[]): TemplateResult {
    const { column, at, role, kind, findings } = row;
    const { name, guess, decisions } = column;
    const out = leftOut(table, this.spec, at, this.loaded);
    const from = role === "feature" ? keptFrom(table, this.spec, column, this.loaded) : "";
    const own = ownKind(column, at, this.spec, this.loaded);
    const guessed = out !== "" || (isGuess({ guess, kind: own.kind }, role, kind) && from === "");
    const usable = !isLost(table, roles, column) && (out !== "" || column.distinct > 1 || !column.distinctExact);
    const cast = guessed || column.kind === "sparse" || kind === own.kind || role === "ignore" ? "" : kind === "numeric" ? strings.asNumber : strings.asCategory;
    const set = (role: Role): (() => void) => () => this.tell("ifm-spec", withRole(table, this.spec, roles, at, role, this.loaded.plan));
    const take = (kind: Kind): Partial<Spec> => withKind(this.spec, name, kind, own.kind);
    const back = (): void => {
      const change = withRole(table, this.spec, roles, at, guess, this.loaded.plan);
      this.tell("ifm-spec", { ...change, ...withKind({ ...this.spec, ...change }, name, own.kind, own.kind) });
    };
    const other = guessed && role === "feature" && !Number.isNaN(column.mean) && (kind === "categorical" || own !== column) ? ({ categorical: "numeric", numeric: "categorical", sparse: "sparse" } as const)[kind] : kind;
    return html`<p class="because">
        <span>${out !== "" ? strings.because(out) : from !== "" ? strings.kept(name, from) : guessed ? strings.because(own.reason) : strings.chosen(guess, own.kind, own.reason)}</span>
        ${cast === "" ? nothing : html`<span class="cast">${cast}</span>`}
        ${guessed && role === "ignore" && usable ? html`<button aria-label=${strings.useIt(name)} @click=${set("feature")}>${strings.use}</button>` : nothing}
        ${role === "feature" && mayWeigh(column) && !roles.includes("weight") ? html`<button data-weigh aria-label=${strings.weighBy(name)} @click=${set("weight")}>${strings.weigh}</button>` : nothing}
        ${other === kind ? nothing : html`<button aria-label=${strings.readAsOf(name, other)} @click=${() => this.tell("ifm-spec", take(other))}>${strings.readAs[other]}</button>`}
        ${guessed ? nothing : html`<button aria-label=${strings.asGuessedOf(name)} @click=${back}>${strings.asGuessed}</button>`}
      </p>
      ${findings.map((finding) => html`<p class="finding" data-finding=${finding.kind}><span>${strings.found(finding)}</span> ${role === "feature" ? html`<button aria-label=${strings.ignoreIt(name)} @click=${set("ignore")}>${strings.ignore}</button>` : nothing}</p>`)}
      ${decisions.map((decision) => decided(column, decision, this.spec, (change) => this.tell("ifm-spec", change)))}`;
  }
}

customElements.define("ifm-roles", Columns);
