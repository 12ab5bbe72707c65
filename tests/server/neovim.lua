-- Drives a real client: opens a file, sees the finding, applies the fix, writes the file. NET, OUT and SERVER are set
-- by the test. Written for Neovim 0.7 and newer.
local out = { found = {} }

local function finish(status)
  local file = io.open(vim.env.OUT, "w")
  file:write(vim.fn.json_encode(out))
  file:close()
  vim.cmd(status == 0 and "qall!" or "cquit!")
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then
    out.missing = what
    finish(1)
  end
end

local client = vim.lsp.start_client({
  name = "tslint",
  cmd = { vim.env.PYTHON, "-m", "tslint", "server" },
  root_dir = vim.fn.fnamemodify(vim.env.NET, ":h"),
})
vim.cmd("edit " .. vim.fn.fnameescape(vim.env.NET))
local buffer = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(buffer, client)

wait("a finding", function() return #vim.diagnostic.get(buffer) > 0 end)
for _, each in ipairs(vim.diagnostic.get(buffer)) do
  table.insert(out.found, { code = each.code, row = each.lnum, column = each.col, source = each.source, message = each.message })
end

local first = vim.diagnostic.get(buffer)[1]
local params = {
  textDocument = { uri = vim.uri_from_bufnr(buffer) },
  range = {
    start = { line = first.lnum, character = first.col },
    ["end"] = { line = first.end_lnum, character = first.end_col },
  },
  context = { diagnostics = {} },
}
local answers = vim.lsp.buf_request_sync(buffer, "textDocument/codeAction", params, 60000)
for _, answer in pairs(answers or {}) do
  for _, action in ipairs(answer.result or {}) do
    if action.isPreferred and not out.action then
      out.action = action.title
      vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(client).offset_encoding)
    end
  end
end
wait("an end of the finding", function() return #vim.diagnostic.get(buffer) == 0 end)
vim.cmd("write")

-- Neovim's own command fills the quickfix list with the callers of the function under the cursor.
vim.fn.cursor(vim.fn.search("def helper"), 9)
vim.lsp.buf.incoming_calls()
wait("the callers", function() return #vim.fn.getqflist() > 0 end)
out.callers = {}
for _, each in ipairs(vim.fn.getqflist()) do
  table.insert(out.callers, { name = each.text, row = each.lnum })
end
finish(0)
