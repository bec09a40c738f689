// The trees of the benchmark on BehaviorTree.CPP 4, in C++. Asked line by line: `count MOST FIRST TREE` gives what comes of each tick
// and how many nodes were visited in it, `time MOST FIRST TREE` how many nanoseconds so many ticks take after the first ones, or all until the
// tree has ended.

#include <behaviortree_cpp/bt_factory.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

struct Count
{
  uint64_t ticks;
  BT::NodeStatus end;
  uint64_t sum = 0;
};

// A leaf: does one addition in each tick, and looks whether that was the last.
class Leaf : public BT::StatefulActionNode
{
public:
  Leaf(const std::string& name, const BT::NodeConfig& config, std::vector<Count>* all)
    : StatefulActionNode(name, config), count_((*all)[std::stoul(name)])
  {}

  static BT::PortsList providedPorts()
  {
    return {};
  }

  BT::NodeStatus onStart() override
  {
    return onRunning();
  }

  BT::NodeStatus onRunning() override
  {
    count_.sum += 1;
    return count_.sum == count_.ticks ? count_.end : BT::NodeStatus::RUNNING;
  }

  void onHalted() override
  {}

private:
  Count& count_;
};

// Control nodes cannot be heard; each of them that is visited visits a leaf.
struct Node
{
  std::vector<Node> children;
  size_t leaf = 0;
};

static Node parse(std::istream& words, std::vector<Count>& counts, std::string& xml)
{
  std::string word;
  words >> word;
  Node node;
  if(word[0] == 'L')
  {
    const bool fails = word.back() == '-';
    node.leaf = counts.size();
    counts.push_back({ std::stoull(word.substr(1)), fails ? BT::NodeStatus::FAILURE : BT::NodeStatus::SUCCESS });
    xml += "<L name=\"" + std::to_string(node.leaf) + "\"/>";
    return node;
  }
  const std::string name = word[0] == 'S' ? "Sequence" : word[0] == 'F' ? "Fallback" : "Parallel";
  xml += "<" + name + ">";
  for(auto left = std::stoul(word.substr(1)); left > 0; left--)
  {
    node.children.push_back(parse(words, counts, xml));
  }
  xml += "</" + name + ">";
  return node;
}

static uint64_t visited(const Node& node, const std::vector<Count>& counts, const std::vector<uint64_t>& before)
{
  if(node.children.empty())
  {
    return counts[node.leaf].sum > before[node.leaf] ? 1 : 0;
  }
  uint64_t inner = 0;
  for(const auto& child : node.children)
  {
    inner += visited(child, counts, before);
  }
  return inner + (inner > 0 ? 1 : 0);
}

int main()
{
  std::string line;
  while(std::getline(std::cin, line))
  {
    std::istringstream words(line);
    std::string what;
    uint64_t most = 0, first = 0;
    words >> what >> most >> first;
    std::vector<Count> counts;
    std::string xml = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\">";
    const Node root = parse(words, counts, xml);
    xml += "</BehaviorTree></root>";
    BT::BehaviorTreeFactory factory;
    factory.registerNodeType<Leaf>("L", &counts);
    auto tree = factory.createTreeFromText(xml);
    if(what == "count")
    {
      std::string statuses, visits;
      for(uint64_t tick = 0; tick < most; tick++)
      {
        std::vector<uint64_t> before;
        for(const auto& count : counts)
        {
          before.push_back(count.sum);
        }
        const auto status = tree.tickExactlyOnce();
        statuses += status == BT::NodeStatus::RUNNING ? 'R' : status == BT::NodeStatus::SUCCESS ? 'S' : 'F';
        visits += " " + std::to_string(visited(root, counts, before));
        if(status != BT::NodeStatus::RUNNING)
        {
          break;
        }
      }
      std::cout << statuses << visits << std::endl;
    }
    else
    {
      for(uint64_t tick = 0; tick < first; tick++)
      {
        tree.tickExactlyOnce();
      }
      const auto began = std::chrono::steady_clock::now();
      for(uint64_t tick = 0; tick < most; tick++)
      {
        if(tree.tickExactlyOnce() != BT::NodeStatus::RUNNING)
        {
          break;
        }
      }
      const auto took = std::chrono::steady_clock::now() - began;
      std::cout << std::chrono::duration_cast<std::chrono::nanoseconds>(took).count() << std::endl;
    }
  }
}
