//! The functions of Hugo's templates that can be followed without a browser, a network or a clock.

use super::scope::Scope;
use super::values::Value;

/// What a function or a method gives; none when it is not known or its arguments are wrong.
pub(super) fn call<'a>(
    scope: &mut Scope<'a, '_>,
    name: &str,
    args: &[Value<'a>],
    dot: &Value<'a>,
) -> Option<Value<'a>> {
    let text = |at: usize| args.get(at).and_then(Value::shown);
    let last = || args.last().and_then(Value::shown);
    let texts = || {
        args.iter()
            .map(Value::shown)
            .collect::<Option<Vec<String>>>()
    };
    Some(match name {
        ".Get" | "$.Get" => {
            let args = &scope.call.args;
            let key = text(0)?;
            let found = match key.parse::<usize>() {
                Ok(place) => args.list.get(place).map(String::as_str),
                Err(_) => args.named(&key),
            };
            found.map_or(Value::Nothing, Value::text)
        }
        ".Param" | "$.Param" | ".Page.Param" | "$.Page.Param" | ".Site.Param" | "$.Site.Param" => {
            let found = scope.at.param(&text(0)?).map(super::render::written);
            found.map_or(Value::Nothing, Value::Text)
        }
        "site.GetPage"
        | ".Site.GetPage"
        | "$.Site.GetPage"
        | ".Page.GetPage"
        | "$.Page.GetPage"
        | "$.Page.Site.GetPage"
        | ".Page.Site.GetPage" => {
            let path = text(0)?;
            let path = match name.contains("ite.") && !path.starts_with('/') {
                true => format!("/{path}"),
                false => path,
            };
            scope.page(scope.at.hugo.find_page(scope.at.page, &path))
        }
        // They change what a browser shows, and nothing for a reader.
        "safeHTML"
        | "safe.HTML"
        | "markdownify"
        | "transform.Markdownify"
        | "safeURL"
        | "safe.URL"
        | "safeHTMLAttr"
        | "safe.HTMLAttr"
        | "safeCSS"
        | "safe.CSS"
        | "htmlEscape"
        | "transform.HTMLEscape"
        | "htmlUnescape"
        | "transform.HTMLUnescape"
        | "plainify"
        | "transform.Plainify"
        | "emojify"
        | "transform.Emojify"
        | "string"
        | "cast.ToString"
        | "int"
        | "cast.ToInt"
        | "relURL"
        | "urls.RelURL"
        | "relLangURL"
        | "urls.RelLangURL"
        | "absURL"
        | "urls.AbsURL"
        | "absLangURL"
        | "urls.AbsLangURL"
        | ".Page.RenderString"
        | "$.Page.RenderString"
        | ".Page.Markdownify" => Value::Text(last()?),
        "print" | "fmt.Print" => Value::Text(texts()?.concat()),
        "printf" | "fmt.Printf" => Value::Text(formatted(&text(0)?, &texts()?[1..])?),
        // Told to whoever builds the site.
        "errorf" | "warnf" | "fmt.Errorf" | "fmt.Warnf" | "warnidf" | "erroridf"
        | "fmt.Erroridf" | "fmt.Warnidf" => Value::Nothing,
        "lower" | "strings.ToLower" => Value::Text(last()?.to_lowercase()),
        "upper" | "strings.ToUpper" => Value::Text(last()?.to_uppercase()),
        "title" | "strings.Title" => {
            let words = last()?;
            let words: Vec<String> = words.split(' ').map(capital).collect();
            Value::Text(words.join(" "))
        }
        "humanize" | "inflect.Humanize" => Value::Text(capital(&last()?.replace(['-', '_'], " "))),
        "urlize" | "urls.URLize" | "anchorize" | "urls.Anchorize" => Value::Text(
            scope
                .at
                .hugo
                .finder
                .rules
                .sanitized(&last()?)
                .to_lowercase(),
        ),
        "strings.TrimSpace" => Value::Text(last()?.trim().to_owned()),
        "chomp" | "strings.Chomp" => Value::Text(last()?.trim_end_matches(['\n', '\r']).to_owned()),
        "strings.TrimPrefix" | "strings.TrimSuffix" => {
            let (cut, text) = (text(0)?, text(1)?);
            let found = match name.ends_with("Prefix") {
                true => text.strip_prefix(cut.as_str()),
                false => text.strip_suffix(cut.as_str()),
            };
            Value::text(found.unwrap_or(&text))
        }
        "strings.TrimLeft" | "strings.TrimRight" => {
            let (cut, text) = (text(0)?, text(1)?);
            Value::text(match name.ends_with("Left") {
                true => text.trim_start_matches(|c| cut.contains(c)),
                false => text.trim_end_matches(|c| cut.contains(c)),
            })
        }
        "trim" | "strings.Trim" => {
            let (text, cut) = (text(0)?, text(1)?);
            Value::text(text.trim_matches(|c| cut.contains(c)))
        }
        "replace" | "strings.Replace" => Value::Text(text(0)?.replace(&text(1)?, &text(2)?)),
        "replaceRE" | "strings.ReplaceRE" => {
            let pattern = regex_lite::Regex::new(&text(0)?).ok()?;
            Value::Text(
                pattern
                    .replace_all(&text(2)?, text(1)?.as_str())
                    .into_owned(),
            )
        }
        "split" | "strings.Split" => {
            let (text, sign) = (text(0)?, text(1)?);
            Value::List(text.split(sign.as_str()).map(Value::text).collect())
        }
        "delimit" | "collections.Delimit" => {
            let Value::List(items) = args.first()? else {
                return None;
            };
            let items = items
                .iter()
                .map(Value::shown)
                .collect::<Option<Vec<String>>>()?;
            Value::Text(items.join(&text(1)?))
        }
        "hasPrefix" | "strings.HasPrefix" => Value::truth(text(0)?.starts_with(&text(1)?)),
        "hasSuffix" | "strings.HasSuffix" => Value::truth(text(0)?.ends_with(&text(1)?)),
        "strings.Contains" => Value::truth(text(0)?.contains(&text(1)?)),
        "in" | "collections.In" => match args.first()? {
            Value::List(items) => {
                let wanted = text(1)?;
                Value::truth(
                    items
                        .iter()
                        .any(|item| item.shown().as_deref() == Some(&wanted)),
                )
            }
            Value::Text(text) => Value::truth(text.contains(&args.get(1)?.shown()?)),
            _ => return None,
        },
        "slice" | "collections.Slice" => Value::List(args.to_vec()),
        "urls.JoinPath" | "path.Join" => {
            let parts = texts()?;
            let parts: Vec<&str> = parts
                .iter()
                .enumerate()
                .map(|(at, part)| {
                    if at == 0 {
                        part.trim_end_matches('/')
                    } else {
                        part.trim_matches('/')
                    }
                })
                .collect();
            Value::Text(parts.join("/"))
        }
        "path.Base" | "path.BaseName" => {
            let path = last()?;
            let own = path.rsplit('/').next().unwrap_or_default();
            let stem = own.rsplit_once('.').filter(|_| name == "path.BaseName");
            Value::text(stem.map_or(own, |(stem, _)| stem))
        }
        "default" | "compare.Default" => match args {
            [default, value] => {
                if value.holds() {
                    value.clone()
                } else {
                    default.clone()
                }
            }
            _ => return None,
        },
        "cond" | "compare.Conditional" => match args {
            [what, yes, no] => {
                if what.holds() {
                    yes.clone()
                } else {
                    no.clone()
                }
            }
            _ => return None,
        },
        "or" => args
            .iter()
            .find(|value| value.holds())
            .or(args.last())?
            .clone(),
        "and" => args
            .iter()
            .find(|value| !value.holds())
            .or(args.last())?
            .clone(),
        "not" => Value::truth(!args.first()?.holds()),
        "eq" | "compare.Eq" => {
            let all = texts()?;
            Value::truth(all.iter().skip(1).any(|other| *other == all[0]))
        }
        "ne" | "compare.Ne" => Value::truth(text(0)? != text(1)?),
        "index" | "collections.Index" => {
            let mut value = args.first()?.clone();
            for key in &args[1..] {
                let key = key.shown()?;
                value = match value {
                    Value::List(items) => items
                        .get(key.parse::<usize>().ok()?)
                        .cloned()
                        .unwrap_or(Value::Nothing),
                    value => scope.field(value, &key)?,
                };
            }
            value
        }
        "append" | "collections.Append" => {
            let (list, items) = args.split_last()?;
            let Value::List(mut list) = list.clone() else {
                return None;
            };
            list.extend(items.iter().cloned());
            Value::List(list)
        }
        "len" => match args.first()? {
            Value::List(items) => Value::Text(items.len().to_string()),
            Value::Text(text) => Value::Text(text.chars().count().to_string()),
            _ => return None,
        },
        name if name.ends_with(".ByTitle") || name.ends_with(".ByWeight") => {
            let (of, order) = name.rsplit_once('.')?;
            let of = if of.is_empty() { "." } else { of };
            let Value::List(mut pages) = scope.word(of, dot)? else {
                return None;
            };
            if order == "ByTitle" {
                pages.sort_by_key(|page| match page {
                    Value::Page(page) => page.title.clone().unwrap_or_default(),
                    _ => String::new(),
                });
            }
            Value::List(pages)
        }
        _ => return None,
    })
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// `printf` with texts and numbers.
fn formatted(format: &str, args: &[String]) -> Option<String> {
    let mut out = String::new();
    let mut args = args.iter();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let sign = rest[at + 1..].chars().next()?;
        match sign {
            '%' => out.push('%'),
            's' | 'v' | 'd' => out.push_str(args.next()?),
            'q' => out.push_str(&format!("{:?}", args.next()?)),
            _ => return None,
        }
        rest = &rest[at + 1 + sign.len_utf8()..];
    }
    out.push_str(rest);
    Some(out)
}
