import { html, nothing, type TemplateResult } from "lit";
import type { Plan, Table } from "../engine/protocol.js";
import type { Loaded } from "../file/loaded.js";
import { rolesOf, withRole } from "../file/roles.js";
import { Panel, sentence } from "../panel/panel.js";
import { encode, parse, type Spec } from "../state/spec.js";
import { quantity } from "../text/phrase.js";
import { models } from "../text/strings.js";
import { leader } from "../training/standing.js";
import type { Training } from "../training/training.js";
import { others, targets } from "./target.js";
import { decided as strings, plan as planStrings } from "./strings.js";

/** What a run was told and decided, in a line above its curve, and the one press that makes it another. */
class Decided extends Panel {
  static override properties = { spec: { attribute: false }, loaded: { attribute: false }, training: { attribute: false }, stale: { type: Boolean } };

  declare spec: Spec;
  declare loaded: Loaded;
  declare training: Training;
  declare stale: boolean;

  private line: { readonly query: string; readonly plan: Plan } | null = null; // of the run

  protected override willUpdate(): void {
    const { plan, planned } = this.loaded;
    const { query } = this.training;
    if (!this.stale && plan && planned === this.spec) this.line = { query, plan };
    else if (this.line?.query !== query) this.line = null;
  }

  protected override render(): TemplateResult {
    const { table } = this.loaded;
    const plan = this.line?.plan;
    return html`<div class="decided" id="decided" tabindex="-1">
      <p>
        ${plan && table ? html`<span class="line">${says(plan)}</span> ${plan.findings.length > 0 ? html`<a href="#roles">${strings.look(plan.findings.length)}</a>` : nothing}` : nothing}
        <a href="#roles">${strings.columns}</a>
        ${table ? this.instead(table) : nothing}
        ${this.stale ? html`<span class="note">${planStrings.changed}</span> <button ?disabled=${!this.loaded.plan} @click=${() => this.tell("ifm-run", { run: "table", command: "again" })}>${planStrings.again}</button>` : nothing}
      </p>
      ${plan ? this.splits(plan) : nothing}
    </div>`;
  }

  private instead(table: Table): TemplateResult {
    const roles = rolesOf(table, this.spec, this.loaded);
    const current = table.columns[roles.indexOf("target")];
    const take = (column: string): void => this.tell("ifm-train", withRole(table, this.spec, roles, table.columns.findIndex(({ name }) => name === column), "target"));
    return targets(strings.instead, others(table, current), take);
  }

  /** What the other way to split would say, or says. */
  private splits({ split, by }: Plan): TemplateResult | typeof nothing {
    const { phase, lines, ghost, query } = this.training;
    if (phase !== "done") return split === "random" && (!ghost || parse(ghost.query).spec.split === "random") ? nothing : html`<p class="note beside"></p>`;
    const [now, before] = [leader(lines), ghost ? leader(ghost.lines) : undefined];
    const was = ghost ? parse(ghost.query).spec : null;
    const is = parse(query).spec;
    const alike = was !== null && encode({ ...was, split, by }) === encode({ ...is, split, by }); // but for the split
    const compared = now && before && alike && (was.split !== is.split || was.by !== is.by) ? strings.compared(models[before.model], quantity(before.model, before.kept), strings.split(was.split, was.by), models[now.model], quantity(now.model, now.kept), strings.split(split, by)) : null;
    const [random, other] = split === "random" ? [now?.kept, before?.kept] : [before?.kept, now?.kept];
    const hidden = !compared || (split !== "random" && was?.split !== "random") ? "" : (random ?? 0) < (other ?? 0) ? strings.hides : strings.hidesNothing;
    if (split === "random") {
      if (!compared || !was) return nothing;
      return html`<p class="note beside" data-note="split"><span>${sentence(compared)} ${hidden}</span> <button @click=${() => this.tell("ifm-train", { split: was.split, by: was.by })}>${strings.back(was.split, was.by)}</button></p>`;
    }
    return html`<p class="note beside" data-note="split">
      <span>${compared ? sentence(compared) : nothing} ${hidden === "" ? strings.would(split, by) : hidden}</span>
      ${hidden === "" ? html`<button @click=${this.compare}>${strings.random}</button>` : nothing}
    </p>`;
  }

  /** Trains on a random split, with the run that is over as faint lines. */
  private readonly compare = (): void => {
    this.tell("ifm-view", { ghost: "1" });
    this.tell("ifm-train", { split: "random", by: "" });
  };
}

function says({ target, learnt, roles, kinds, split, by }: Plan): string {
  const of = (role: Plan["roles"][number]): number => roles.filter((r) => r === role).length;
  const categories = roles.filter((role, i) => role === "feature" && kinds[i] === "categorical").length;
  return strings.line(target, learnt, of("feature"), categories, of("ignore"), strings.split(split, by));
}

customElements.define("ifm-decided", Decided);
