use super::*;
use crate::page::Log;

struct Site(Dialect);

impl Host for Site {
    fn dialect(&self) -> Dialect {
        self.0
    }

    fn variable(&self, name: &str) -> Value {
        let list = |items: &[&str]| Value::list(items.iter().map(Value::text).collect());
        match name {
            "page" => Value::map(vec![
                ("title".into(), Value::text("Tea")),
                ("year".into(), Value::Integer(2024)),
                ("date".into(), Value::text("2024-05-01")),
                ("kinds".into(), list(&["green", "black"])),
            ]),
            "title" => Value::text("Tea"),
            "plugin" => Value::Unknown,
            _ => Value::Nil,
        }
    }

    fn include(&self, _: &str, name: &str, _: &str) -> (String, Included) {
        let included = match name {
            "note.html" => Included::Text("<b>{{ include.text }}</b>\n".into()),
            "self.html" => Included::Text("{% include self.html %}x".into()),
            "secret.md" => Included::Hidden,
            _ => Included::Missing,
        };
        (name.to_owned(), included)
    }

    fn bare_includes(&self) -> bool {
        true
    }
}

fn rendered(dialect: Dialect, template: &str) -> (String, Vec<String>) {
    let mut text = Text::new(template.into(), 1);
    let mut log = Log::default();
    render(&mut text, "a.md", false, &Site(dialect), &mut log);
    let told = log.unrendered_kinds();
    (text.text, told)
}

fn check(template: &str, text: &str, told: &[&str]) {
    let (found, kinds) = rendered(Dialect::Liquid, template);
    assert_eq!(found, text, "{template}");
    assert_eq!(kinds, told, "{template}");
}

fn check_nunjucks(template: &str, text: &str, told: &[&str]) {
    let (found, kinds) = rendered(Dialect::Nunjucks, template);
    assert_eq!(found, text, "{template}");
    assert_eq!(kinds, told, "{template}");
}

#[test]
fn known_values_are_put_in() {
    check("{{ page.title }} {{page.year | plus: 1}}", "Tea 2025", &[]);
    check("{{ page.date | date: '%Y/%m' }}", "2024/05", &[]);
    check(
        "{{ page.kinds | join: ', ' | upcase }}",
        "GREEN, BLACK",
        &[],
    );
    check("{{ page.none }}{{ page.none | default: 'x' }}", "x", &[]);
    check("{{ page.kinds[0] }} {{ page['title'] }}", "green Tea", &[]);
    check_nunjucks(
        "{{ page.year + 1 }} {{ 'a' if page.none else 'b' }}",
        "2025 b",
        &[],
    );
    check_nunjucks("{{ page.title | replace('T', 'S') }}", "Sea", &[]);
}

#[test]
fn conditions_and_loops_are_followed() {
    check(
        "{% if page.year > 2020 and page.title == 'Tea' %}a{% else %}b{% endif %}",
        "a",
        &[],
    );
    check("{% unless page.title %}a{% endunless %}b", "b", &[]);
    check(
        "{% case page.year %}{% when 1, 2 %}a{% when 2024 %}b{% else %}c{% endcase %}",
        "b",
        &[],
    );
    check(
        "{% for k in page.kinds %}{{ forloop.index }}{{ k }} {% endfor %}",
        "1green 2black ",
        &[],
    );
    check(
        "{% for k in page.none %}x{% else %}none{% endfor %}",
        "none",
        &[],
    );
    check(
        "{% for i in (1..3) reversed %}{{ i }}{% endfor %}",
        "321",
        &[],
    );
    check(
        "{% assign x = page.year | minus: 4 %}{{ x }}{% capture y %}<{{ x }}>{% endcapture %}{{ y }}",
        "2020<2020>",
        &[],
    );
    check_nunjucks(
        "{% set x = page.kinds %}{% for k in x %}{{ k }}{% if not loop.last %}, {% endif %}{% endfor %}",
        "green, black",
        &[],
    );
}

#[test]
fn liquid_tags_were_shown_in_post_bodies() {
    check(
        "{% highlight ruby %}puts 1{% endhighlight %}",
        "```ruby\nputs 1\n```",
        &[],
    );
    check(
        "a\n\n{% highlight js linenos %}\n  b `c`\n{% endhighlight %}\n\nd",
        "a\n\n```js\n  b `c`\n```\n\nd",
        &[],
    );
    check(
        "{% raw %}{{ page.title }}{% endraw %}",
        "{{ page.title }}",
        &[],
    );
    check("`{% raw %}{% if %}{% endraw %}`", "`{% if %}`", &[]);
    check("a {{ plugin.x }} b", "a  b", &["`{{ plugin.x }}`"]);
    check("a {% gist 12 %} b", "a  b", &["tag `gist`"]);
    check(
        "a\n{% note %}\ninside\n{% endnote %}\nb",
        "a\n\ninside\n\nb",
        &["block `note`"],
    );
}

#[test]
fn comments_of_templates_were_published() {
    check("a{% comment %}secret {{ x }}{% endcomment %}b", "ab", &[]);
    check("a{% comment %}secret, never closed", "a", &[]);
    check("a{% # secret %}b", "ab", &[]);
    check(
        "```\n{% comment %}secret{% endcomment %}\n```",
        "```\n\n```",
        &[],
    );
    check_nunjucks("a{# secret #}b", "ab", &[]);
}

#[test]
fn what_is_not_known_keeps_the_text_inside() {
    check(
        "{% if plugin.on %}a{% else %}b{% endif %}",
        "ab",
        &["condition `plugin.on`"],
    );
    check(
        "x\n{% for p in plugin.posts %}\n- {{ p.title }}\nkept\n{% endfor %}\n",
        "x\n\nkept\n",
        &["loop `p in plugin.posts`"],
    );
    check(
        "[text]({{ plugin.url }}) ![i]({{ plugin.image }})",
        "text ",
        &["`{{ plugin.url }}`", "`{{ plugin.image }}`"],
    );
    check("{{ page.title | emojify }}", "", &["filter `emojify`"]);
}

#[test]
fn code_that_cannot_be_worked_out_stays_as_it_is() {
    let code = "```liquid\n{{ plugin.x }} {% gist 1 %} {% if plugin %}a{% endif %}\n```";
    check(code, code, &[]);
    check("`{{ page.title }}`", "`Tea`", &[]);
}

#[test]
fn includes_are_rendered_and_end() {
    check("{% include note.html text=\"a b\" %}", "<b>a b</b>", &[]);
    check(
        "{% include note.html text=page.title %}.",
        "<b>Tea</b>.",
        &[],
    );
    check("{% include secret.md %}a", "a", &[]);
    check("{% include none.html %}a", "a", &["include `none.html`"]);
    let (text, told) = rendered(Dialect::Liquid, "{% include self.html %}");
    assert!(
        text.len() < 20 && told == ["include `self.html`"],
        "{text} {told:?}"
    );
}

#[test]
fn broken_templates_are_text() {
    check("a {{ b", "a {{ b", &[]);
    check("a {% b", "a {% b", &[]);
    check(
        "{% endif %}a{% else %}",
        "a",
        &["tag `endif`", "tag `else`"],
    );
    check("{{ }}{{ | }}{%%}{% %}a", "a", &["`{{  }}`", "`{{ | }}`"]);
    check("{% if %}é{% if a %}ü", "éü", &["tag `if`"]);
}

#[test]
fn code_in_variables_becomes_a_fence() {
    check_nunjucks(
        "Text:\n\n{%- set codeBlock %}{% raw %}\n{{ a }}\n{% endraw %}{%- endset %}\n{{ codeBlock | highlight(\"js\") | safe }}\n\nMore",
        "Text:\n\n```js\n{{ a }}\n```\n\nMore",
        &[],
    );
}

#[test]
fn no_template_panics() {
    let pieces = [
        "{%",
        "%}",
        "{{",
        "}}",
        "-",
        "if",
        "é",
        "\n",
        "endif",
        "raw",
        "endraw",
        "|",
        "\"",
        "'",
        "(",
        "[",
        "for x in y",
        "`",
    ];
    let mut seed = 7u32;
    for _ in 0..3000 {
        let mut template = String::new();
        for _ in 0..14 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            template.push_str(pieces[(seed >> 16) as usize % pieces.len()]);
        }
        rendered(Dialect::Liquid, &template);
        rendered(Dialect::Nunjucks, &template);
    }
}
