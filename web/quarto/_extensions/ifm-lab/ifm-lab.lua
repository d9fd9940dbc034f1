-- {{< ifm-lab chapter=psd height=900 >}}: a piece of iFM Lab in a document.
-- In HTML and slides it is a frame, elsewhere a link. README.txt tells the rest.

local SLIDE = 600 -- px, that a slide of 700 has under its title

-- What is not a setting of the lab.
local own = { src = true, height = true, width = true, label = true }

-- A value in a link's form. %XX stands for itself, so that values can be
-- written as they are and as they stand in a link.
local function encode(text)
  local encoded = text:gsub("%%(%x%x)", "\1%1"):gsub("[^%w%-_.~,\1]", function(c)
    return string.format("%%%02X", c:byte())
  end)
  return (encoded:gsub("\1", "%%"))
end

local function escape(text)
  local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }
  return (text:gsub("[&<>\"']", entities):gsub("%c", " "))
end

local function text(value)
  if value == nil then
    return ""
  end
  return type(value) == "string" and value or pandoc.utils.stringify(value)
end

-- The lab's address: the shortcode's src, or that of the document's metadata,
-- ifm-lab: {src: …}. Nothing else than http and https leads to a lab.
local function source(kwargs, meta)
  local src = text(kwargs["src"])
  local about = meta["ifm-lab"]
  if src == "" and type(about) == "table" and about.src ~= nil then
    src = text(about.src)
  end
  src = src:gsub("[?#].*$", ""):gsub("[^%w%-_.~:/@!$&*+,;=%%()%[%]]", function(c)
    return string.format("%%%02X", c:byte())
  end)
  return src:match("^[hH][tT][tT][pP][sS]?://[^/]") and src or nil
end

-- The settings, in an order of their own: tables have none.
local function settings(args, kwargs)
  local values = {}
  for _, arg in ipairs(args) do -- chapter=psd&psd.d=50, as in a link
    for pair in text(arg):gsub("^%?", ""):gmatch("[^&]+") do
      local key, value = pair:match("^([^=]+)=(.*)$")
      if key then
        values[key] = value
      end
    end
  end
  for key, value in pairs(kwargs) do
    if not own[key] then
      values[key] = text(value)
    end
  end
  local keys = {}
  for key in pairs(values) do
    table.insert(keys, key)
  end
  table.sort(keys)
  return keys, values
end

local function query(keys, values, embed)
  local list = {}
  local framed = embed ~= nil
  if framed and values.embed == nil then
    table.insert(list, "embed=" .. embed)
  end
  for _, key in ipairs(keys) do
    if framed or (key ~= "embed" and key ~= "hide") then
      table.insert(list, encode(key) .. "=" .. encode(values[key]))
    end
  end
  return #list > 0 and "?" .. table.concat(list, "&") or ""
end

-- A number of pixels or a share, or what stands for one that is neither.
local function size(value, otherwise)
  local found = text(value):match("^%d+%%?$")
  return found or otherwise
end

local function lab(args, kwargs, meta)
  local src = source(kwargs, meta)
  if not src then
    quarto.log.warning("ifm-lab: no address of the lab; write src=\"https://…\" into the shortcode, or ifm-lab: {src: https://…} into the document's head")
    return pandoc.Para({ pandoc.Strong({ pandoc.Str("ifm-lab: the lab’s address is missing, src=\"https://…\".") }) })
  end
  local keys, values = settings(args, kwargs)
  local label = text(kwargs["label"])
  if label == "" then
    label = "iFM Lab: factorization machines, live"
  end
  if quarto.doc.is_format("html:js") then
    local height = size(kwargs["height"], "800")
    -- On a slide the figure fits itself into what there is; a chapter or a table scrolls in it.
    local fits = quarto.doc.is_format("revealjs") and (values.chapter == nil or values.chapter == "none") and values.source ~= "table" and values.embed == nil
    if quarto.doc.is_format("revealjs") and (tonumber(height) or 0) > SLIDE then
      height = tostring(SLIDE)
    end
    return pandoc.RawBlock("html", string.format('<iframe src="%s" title="%s" width="%s" height="%s" frameborder="0" loading="lazy"></iframe>',
      escape(src .. query(keys, values, fits and "slide" or "1")), escape(label), size(kwargs["width"], "100%"), height))
  end
  local link = pandoc.Link({ pandoc.Str(label) }, src .. query(keys, values))
  return pandoc.Para({ link, pandoc.Str(" runs in a browser: this page has no room for it.") })
end

return { ["ifm-lab"] = lab }
